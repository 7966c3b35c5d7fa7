package io.rockpool.jcache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;

/** The stores of this module's tests are encrypted if that is asked for, and only then. */
final class EncryptedSuiteTest extends JCacheTest {
  private static final String VALUE = "a-value-that-a-file-may-have";

  @Test
  void filesHaveValuesUnlessTestsAreEncrypted() throws IOException {
    manager().createCache("orders", new MutableConfiguration<String, String>()).put("key", VALUE);
    provider.close();
    boolean isClear = false;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        isClear |= Files.readString(file, ISO_8859_1).contains(VALUE);
      }
    }
    assertThat(isClear).isEqualTo(!Boolean.getBoolean("rockpool.test.encrypted"));
  }
}

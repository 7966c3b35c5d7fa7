package io.rockpool.internal.rocksdb.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.StoreIoException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NativePathsTest {
  @Test
  void asciiIsTheSameInEachEncoding() {
    assertThatCode(() -> NativePaths.check(Path.of("/a b/c"), ISO_8859_1))
        .doesNotThrowAnyException();
    assertThatCode(() -> NativePaths.check(Path.of("/a b/c"), UTF_8)).doesNotThrowAnyException();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void anotherEncodingThanUtf8IsRefused() {
    Path path = Path.of("/caf\u00e9");
    assertThatCode(() -> NativePaths.check(path, UTF_8)).doesNotThrowAnyException();
    assertThatThrownBy(() -> NativePaths.check(path, ISO_8859_1))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("ISO-8859-1")
        .hasMessageContaining("LC_ALL=C.UTF-8");
  }
}

package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The package of the configuration does not use the package of the caches. */
class PackagesTest {
  private static final Path CONFIG = Path.of("src/main/java/io/rockpool/jcache/internal/config");

  @Test
  void importsGoInOneDirection() throws IOException {
    List<Path> files;
    try (var all = Files.list(CONFIG)) {
      files = all.toList();
    }
    assertThat(files).hasSizeGreaterThan(10);
    for (Path file : files) {
      String source = Files.readString(file);
      assertThat(source)
          .as(file.toString())
          .doesNotContainPattern("io\\.rockpool\\.jcache\\.(?!internal\\.config)");
    }
  }
}

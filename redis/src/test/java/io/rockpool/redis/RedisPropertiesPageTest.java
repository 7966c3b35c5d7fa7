package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The options that the engine reads are those of docs/redis.md and of docs/properties.md. */
final class RedisPropertiesPageTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern READ =
      Pattern.compile("\\b(?:of|flag|duration|isSecond)\\(\\s*\"([a-z-]+)\"");
  private static final Pattern NAME = Pattern.compile("`([a-z-]+)`");
  private static final Pattern PROPERTY = Pattern.compile("\\| `rockpool\\.redis\\.([a-z-]+)` \\|");

  @Test
  void thePagesListWhatTheEngineReads() throws IOException {
    Set<String> read =
        found(
            READ, Files.readString(Path.of("src/main/java/io/rockpool/redis/RedisSettings.java")));
    assertThat(read).contains("prefix", "read-from", "ca-certificate");
    List<String> page = Files.readAllLines(DOCS.resolve("redis.md"));
    String names =
        page.stream()
            .skip(page.indexOf("| option | default | meaning |") + 2L)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.split("\\|", -1)[1])
            .collect(Collectors.joining());
    assertThat(found(NAME, names)).isEqualTo(read);
    assertThat(found(PROPERTY, Files.readString(DOCS.resolve("properties.md")))).isEqualTo(read);
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

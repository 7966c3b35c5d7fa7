package io.rockpool.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The page of all properties is what the configuration metadata says. With {@code
 * -Drockpool.test.writePages=true} it is written.
 */
final class PropertiesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "properties.md");
  private static final String BEGIN = "<!-- begin: properties -->\n";
  private static final String END = "<!-- end: properties -->\n";

  @Test
  void thePageHasEveryPropertyAndItsDefault() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    String table = table();
    if (Boolean.getBoolean("rockpool.test.writePages")) {
      Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
    } else {
      assertThat(page.substring(begin, end)).isEqualTo(table);
    }
    assertThat(table).contains("`rockpool.directory`", "`rockpool.defaults.ttl`");
  }

  private static String table() throws IOException {
    List<String> rows = new ArrayList<>();
    Object all = metadata().get("properties");
    for (Object each : (List<?>) Objects.requireNonNull(all)) {
      Map<?, ?> property = (Map<?, ?>) each;
      String name = String.valueOf(property.get("name"));
      if (name.startsWith("rockpool.") && property.get("description") != null) {
        Object value = property.get("defaultValue");
        rows.add(
            "| `%s` | %s | %s |\n"
                .formatted(
                    name,
                    value == null || value.equals(List.of()) ? "" : "`" + value + "`",
                    property.get("description")));
      }
    }
    rows.sort(null);
    return "| property | default | meaning |\n|---|---|---|\n" + String.join("", rows);
  }

  private static Map<String, Object> metadata() throws IOException {
    try (InputStream in =
        PropertiesPageTest.class
            .getClassLoader()
            .getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
      return JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), UTF_8));
    }
  }
}

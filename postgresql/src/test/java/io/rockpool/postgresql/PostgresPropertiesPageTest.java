package io.rockpool.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The page of all properties has what this module's configuration metadata says. With {@code
 * -Drockpool.test.writePages=true} it is written.
 */
final class PostgresPropertiesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "properties.md");
  private static final String BEGIN = "<!-- begin: properties of PostgreSQL -->\n";
  private static final String END = "<!-- end: properties of PostgreSQL -->\n";

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
    assertThat(table)
        .contains("`rockpool.postgresql.schema`", "`rockpool.postgresql.join-transactions`");
  }

  private static String table() throws IOException {
    List<String> rows = new ArrayList<>();
    ClassLoader loader = PostgresPropertiesPageTest.class.getClassLoader();
    for (URL url :
        Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
      Object all = metadata(url).get("properties");
      for (Object each : (List<?>) Objects.requireNonNull(all)) {
        Map<?, ?> property = (Map<?, ?>) each;
        String name = String.valueOf(property.get("name"));
        if (name.startsWith("rockpool.postgresql.")) {
          Object value = property.get("defaultValue");
          rows.add(
              "| `%s` | %s | %s |\n"
                  .formatted(
                      name, value == null ? "" : "`" + value + "`", property.get("description")));
        }
      }
    }
    rows.sort(null);
    return "| property | default | meaning |\n|---|---|---|\n" + String.join("", rows);
  }

  private static Map<String, Object> metadata(URL url) throws IOException {
    try (InputStream in = url.openStream()) {
      return JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), UTF_8));
    }
  }
}

package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each method that {@code docs/commands.md} names exists. */
final class CommandsTest {
  private static final String HEADER = "| command | method | cost |\n|---|---|---|\n";
  private static final Pattern SECTION =
      Pattern.compile("^## ([^\n]+)\n(.*?)(?=^## |\\z)", Pattern.MULTILINE | Pattern.DOTALL);

  /** A call in code, of the type of its section, of the pool or of a type. Arguments are names. */
  private static final Pattern CALL =
      Pattern.compile("`(?:(pool|[A-Z]\\w+)\\.)?([a-z][A-Za-z]*)\\(([^()`]*)\\)`");

  private static final Pattern CODE = Pattern.compile("`[^`]*\\([^`]*`");

  /** A type of the page, and its rows. */
  record Section(String title, String text) {
    List<List<String>> rows() {
      return text.lines()
          .filter(line -> line.startsWith("|"))
          .skip(2)
          .map(line -> List.of(line.substring(1, line.length() - 1).split("\\|", -1)))
          .toList();
    }

    Class<?> type() throws ClassNotFoundException {
      StringBuilder name = new StringBuilder("io.rockpool.structure.Persistent");
      for (String word : title.split(" ", -1)) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
      return title.equals("Names") ? StoreNames.class : Class.forName(name.toString());
    }

    @Override
    public String toString() {
      return title;
    }
  }

  static List<Section> sections() throws IOException {
    Path page = Path.of("..", "docs", "commands.md");
    return SECTION
        .matcher(Files.readString(page))
        .results()
        .map(found -> new Section(found.group(1), found.group(2)))
        .toList();
  }

  @Test
  void typesAreInOrder() throws IOException {
    List<String> titles = sections().stream().map(Section::title).toList();
    assertThat(titles).isSorted().doesNotHaveDuplicates();
    assertThat(titles)
        .contains("Counter", "Deque", "Map", "Names", "Scored set", "Set", "Sorted map")
        .contains("Sorted set", "Table", "Value");
  }

  @ParameterizedTest
  @MethodSource("sections")
  void everyMethodExists(Section section) throws Exception {
    assertThat(section.text()).contains(HEADER);
    assertThat(section.rows()).isNotEmpty();
    for (List<String> row : section.rows()) {
      assertThat(row).as("command, method and cost").hasSize(3).noneMatch(String::isBlank);
      String methods = row.get(1);
      List<MatchResult> calls = CALL.matcher(methods).results().toList();
      assertThat(calls).as("the calls of %s", methods).isNotEmpty();
      assertThat(CODE.matcher(methods).results().toList())
          .as("calls that are not written like `put(key, value)`: %s", methods)
          .hasSameSizeAs(calls);
      for (MatchResult call : calls) {
        assertThat(exists(call, section.type())).as("%s of %s", call.group(), section).isTrue();
      }
    }
  }

  private static boolean exists(MatchResult call, Class<?> type) throws ClassNotFoundException {
    String owning = call.group(1);
    Class<?> owner = owning == null ? type : ownerOf(owning);
    int arguments = call.group(3).isBlank() ? 0 : call.group(3).split(",", -1).length;
    return Stream.of(owner.getMethods())
        .anyMatch(
            method ->
                method.getName().equals(call.group(2)) && method.getParameterCount() == arguments);
  }

  private static Class<?> ownerOf(String name) throws ClassNotFoundException {
    return name.equals("pool")
        ? Rockpool.class
        : Class.forName(PersistentMap.class.getPackageName() + "." + name);
  }

  /** Otherwise the test of the page would pass whatever the page says. */
  @Test
  void aMethodThatIsMissingIsFound() throws Exception {
    Matcher call = CALL.matcher("`putIfAbsent(key, value, ttl, more)`");
    assertThat(call.find()).isTrue();
    assertThat(exists(call.toMatchResult(), PersistentMap.class)).isFalse();
  }
}

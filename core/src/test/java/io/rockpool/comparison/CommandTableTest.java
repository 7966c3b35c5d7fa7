package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.PersistentSet;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The methods of docs/commands.md exist, and its sections are in order. */
class CommandTableTest {
  private static final String PACKAGE = PersistentSet.class.getPackageName();
  private static final Pattern METHOD =
      Pattern.compile("(\\w+)\\.(\\w+)(?:\\(([\\w, \\[\\]]*)\\))?");

  @Test
  void eachMethodExists() throws IOException {
    List<CommandTable.Entry> entries = CommandTable.read().entries();
    assertThat(entries).hasSizeGreaterThan(50);
    for (CommandTable.Entry entry : entries) {
      assertThat(entry.commands()).as("commands of %s", entry).isNotEmpty();
      assertThat(entry.methods()).allMatch(CommandTableTest::exists, "a method, as in " + entry);
      assertThat(entry.cost()).isNotBlank();
    }
  }

  @Test
  void sectionsAreSorted() throws IOException {
    List<String> sections =
        CommandTable.read().entries().stream().map(CommandTable.Entry::section).distinct().toList();
    assertThat(sections).contains("Deques", "Scored sets", "Sets").isSorted();
  }

  @Test
  void aMethodThatIsNotThereIsFound() {
    assertThat(exists("PersistentSet.removeRandom(int)")).isTrue();
    assertThat(exists("PersistentSet.removeRandom(long)")).isFalse();
    assertThat(exists("PersistentSet.popRandom")).isFalse();
    assertThat(exists("PersistentBag.add")).isFalse();
  }

  /** Whether a type of the collections has a public method: any of that name, or one overload. */
  private static boolean exists(String text) {
    Matcher method = METHOD.matcher(text);
    if (!method.matches()) {
      return false;
    }
    try {
      return Arrays.stream(Class.forName(PACKAGE + "." + method.group(1)).getMethods())
          .filter(found -> found.getName().equals(method.group(2)))
          .anyMatch(found -> method.group(3) == null || method.group(3).equals(parameters(found)));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String parameters(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", "));
  }
}

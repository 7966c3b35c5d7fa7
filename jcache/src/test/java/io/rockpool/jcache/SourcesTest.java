package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourcesTest {
  /** What code would have to name, or look into, to find out that a test runs it. */
  private static final Pattern TESTS =
      Pattern.compile("(?i)tck|jsr107|junit|surefire|StackWalker|getStackTrace|java\\.command");

  /**
   * One warns where something was opened that nobody closed, one sees that an enum's reader threw.
   */
  private static final Set<String> READ_TRACES = Set.of("Leaks.java", "Undecodable.java");

  /** The build is content with an execution that finds no tests: others may be asked for. */
  @Test
  void theTestsThatRunByThemselvesAreFoundByTheirTag() throws IOException {
    Tag tag = LinearizabilityTest.class.getAnnotation(Tag.class);
    assertThat(tag).isNotNull();
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<excludedGroups>" + tag.value() + ",${test.excludedGroups}</excludedGroups>")
        .contains("<groups>" + tag.value() + "</groups>");
  }

  @Test
  void nothingAsksWhetherATestRuns() throws IOException {
    for (Path sources : List.of(Path.of("src/main"), Path.of("../core/src/main"))) {
      try (Stream<Path> files = Files.walk(sources)) {
        assertThat(files.filter(file -> isAsked(file.getFileName().toString())))
            .isNotEmpty()
            .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContainPattern(TESTS));
      }
    }
  }

  private static boolean isAsked(String file) {
    return file.endsWith(".java") && !READ_TRACES.contains(file);
  }
}

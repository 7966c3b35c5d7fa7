package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that a document's examples are code that a test compiles and runs. */
public final class DocumentExamples {
  private DocumentExamples() {}

  /**
   * Asserts that each part of a test of core between two lines {@code // mark} is in a document, as
   * a block of Java.
   *
   * @param document its path from the root of the project
   */
  public static void assertIn(String document, String mark, Class<?> test) {
    Path core = Path.of("").toAbsolutePath();
    String file = "src/test/java/" + test.getName().replace('.', '/') + ".java";
    try {
      String text = Files.readString(core.resolveSibling(document));
      String[] parts = Files.readString(core.resolve(file)).split(" *// " + mark + "\n", -1);
      assertThat(parts.length).isGreaterThan(1).matches(length -> length % 2 == 1);
      for (int i = 1; i < parts.length - 1; i += 2) {
        String example = parts[i].stripTrailing().stripIndent();
        assertThat(text).contains("```java\n" + example + "\n```");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

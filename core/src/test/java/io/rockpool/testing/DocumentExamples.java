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
   * Asserts that the part of a test between two lines {@code // JAVADOC Name} is the example in the
   * javadoc of the class with that simple name. Both are in the module that the test runs in.
   */
  public static void assertInJavadoc(Class<?> documented, Class<?> test) {
    String mark = " *// JAVADOC " + documented.getSimpleName() + "\n";
    String[] parts = source("test", test).split(mark, -1);
    assertThat(parts).hasSize(3);
    String example = parts[1].stripTrailing().stripIndent();
    assertThat(javadocExample(documented)).isEqualTo(example);
  }

  /** The first example in the javadoc of a class. */
  public static String javadocExample(Class<?> documented) {
    String text = source("main", documented).replaceAll("(?m)^ \\*( |$)", "");
    String begin = "<pre>{@code\n";
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf("\n}</pre>", from));
  }

  private static String source(String kind, Class<?> type) {
    String file = "src/" + kind + "/java/" + type.getName().replace('.', '/') + ".java";
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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

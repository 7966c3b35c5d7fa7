package io.rockpool.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks that the examples of documents and of javadoc are code that a test compiles and runs. */
public final class DocumentExamples {
  private static final Pattern IN_JAVADOC =
      Pattern.compile("<pre>\\{@code\n(.*?) *\\* }</pre>", Pattern.DOTALL);

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
   * Asserts that each part of a test between two lines {@code // mark} is in a document, as a block
   * of Java, or as the end of one.
   *
   * @param document its path from the root of the project
   */
  public static void assertIn(String document, String mark, Class<?> test) {
    String text = read(root().resolve(document));
    for (String example : examples(mark, test)) {
      assertThat(text).contains("\n" + example + "\n```");
    }
  }

  /** Like {@link #assertInJavadoc(String, List, Class[])}, of one test. */
  public static Map<String, String> assertInJavadoc(
      String mark, Class<?> test, Class<?>... inPackages) {
    return assertInJavadoc(mark, List.of(test), inPackages);
  }

  /**
   * Asserts that the examples in the javadoc of some packages are the parts of some tests between
   * two lines {@code // mark}.
   *
   * @param inPackages a type of each package; subpackages are left out
   * @return the examples by the name of their source file; several of one file are one text
   */
  public static Map<String, String> assertInJavadoc(
      String mark, List<Class<?>> tests, Class<?>... inPackages) {
    List<String> all = new ArrayList<>();
    Map<String, String> byType = new TreeMap<>();
    for (Class<?> each : inPackages) {
      for (Path source : sources(each)) {
        String type = source.getFileName().toString().replace(".java", "");
        Matcher javadoc = IN_JAVADOC.matcher(read(source));
        while (javadoc.find()) {
          String example = javadoc.group(1).replaceAll("(?m)^ *\\* ?", "").stripTrailing();
          all.add(example);
          byType.merge(type, example, String::concat);
        }
      }
    }
    List<String> tested = tests.stream().flatMap(test -> examples(mark, test).stream()).toList();
    assertThat(all).containsExactlyInAnyOrderElementsOf(tested);
    return byType;
  }

  private static List<Path> sources(Class<?> type) {
    String directory = "src/main/java/" + type.getPackageName().replace('.', '/');
    try (Stream<Path> files = Files.list(module().resolve(directory))) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> examples(String mark, Class<?> test) {
    String file = "src/test/java/" + test.getName().replace('.', '/') + ".java";
    String[] parts = read(module().resolve(file)).split(" *// " + mark + "\n", -1);
    assertThat(parts.length).isGreaterThan(1).matches(length -> length % 2 == 1);
    List<String> examples = new ArrayList<>();
    for (int i = 1; i < parts.length - 1; i += 2) {
      examples.add(parts[i].stripTrailing().stripIndent());
    }
    return examples;
  }

  /** The module that the test runs in. */
  private static Path module() {
    return Path.of("").toAbsolutePath();
  }

  /** The root of the project. */
  static Path root() {
    Path directory = module();
    while (!Files.exists(directory.resolve("docs/ARCHITECTURE.md"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

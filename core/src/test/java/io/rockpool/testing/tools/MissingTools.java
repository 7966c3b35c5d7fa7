package io.rockpool.testing.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts the tests that are skipped for a missing tool. Each JVM of tests appends to a file of its
 * own in the directory of {@code rockpool.test.skipped}; the main method prints the sums.
 */
public final class MissingTools {
  private static final String DIRECTORY = "rockpool.test.skipped";

  private MissingTools() {}

  /** Notes tests that are skipped. */
  static synchronized void record(Tool tool, int tests) {
    String directory = System.getProperty(DIRECTORY);
    if (directory == null) {
      return;
    }
    try {
      Path files = Files.createDirectories(Path.of(directory));
      Files.writeString(
          files.resolve(ProcessHandle.current().pid() + ".txt"),
          tool.name() + ' ' + tests + '\n',
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many tests were skipped, for each tool that was missing. */
  static Map<Tool, Integer> counted(Path directory) throws IOException {
    Map<Tool, Integer> counts = new EnumMap<>(Tool.class);
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          for (String line : Files.readAllLines(file)) {
            List<String> words = List.of(line.split(" ", -1));
            counts.merge(Tool.valueOf(words.get(0)), Integer.valueOf(words.get(1)), Integer::sum);
          }
        }
      }
    }
    return counts;
  }

  /** What the last lines of a run say; nothing if no test was skipped. */
  static String summary(Map<Tool, Integer> counts) {
    StringBuilder text = new StringBuilder();
    if (!counts.isEmpty()) {
      text.append("Tests that were skipped, as this machine lacks what they need:\n");
    }
    counts.forEach(
        (tool, count) ->
            text.append(
                String.format(
                    Locale.ROOT, "%6d  %s. To run them: %s\n", count, tool.what(), tool.remedy())));
    return text.toString();
  }

  /**
   * Starts a process that prints the sums when this JVM ends. It is Maven's, which then has printed
   * everything else, also that it failed.
   *
   * @param arguments the directory; the process that waits gets another word
   */
  public static void main(String[] arguments) throws IOException, URISyntaxException {
    if (arguments.length > 1) {
      // The working directory may be gone when Maven has ended, and its classes with it.
      Path directory = Path.of(arguments[0]);
      String unused = summary(counted(directory));
      ProcessHandle.current().parent().ifPresent(maven -> maven.onExit().join());
      System.out.print(summary(counted(directory)));
      return;
    }
    Path classes =
        Path.of(MissingTools.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process unused =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classes.toString(),
                MissingTools.class.getName(),
                arguments[0],
                "wait")
            .inheritIO()
            .start();
  }
}

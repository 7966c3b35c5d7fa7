package io.rockpool.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;

/**
 * What a campaign of faults has done, for the page that {@code .ci/faults} writes. Each is a file
 * in the module's {@code target/faults}; the next run of the same test replaces it.
 */
public final class FaultLog {
  private static final Path DIRECTORY = Path.of("target", "faults");

  private FaultLog() {}

  /** What was done to a store. */
  public enum Kind {
    KILL(0, "Killed processes"),
    POWER(1, "Lost power"),
    DISK(2, "Damaged files and full disks"),
    RESTORE(3, "Backups and moments"),
    SERVER(4, "Servers that fail"),
    CONCURRENCY(5, "Order of concurrent operations");

    private final int order;
    private final String title;

    Kind(int order, String title) {
      this.order = order;
      this.title = title;
    }
  }

  /**
   * Writes what a test has done and found. Its assertions have held.
   *
   * @param what what was done, as the start of a sentence
   * @param times how often
   * @param seed the seed with which it can be done again, or empty
   * @param checked what was compared afterwards
   * @param lost what was not there any more, or "nothing"
   */
  public static void write(
      Kind kind, String what, long times, String seed, String checked, String lost) {
    Class<?> test =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    Properties found = new Properties();
    found.setProperty("order", Integer.toString(kind.order));
    found.setProperty("kind", kind.title);
    found.setProperty("what", what);
    found.setProperty("times", String.format(Locale.ROOT, "%,d", times));
    found.setProperty("seed", seed);
    found.setProperty("checked", checked);
    found.setProperty("lost", lost);
    found.setProperty("test", test.getName());
    String name = test.getSimpleName() + "-" + Integer.toHexString(what.hashCode());
    try {
      Files.createDirectories(DIRECTORY);
      try (Writer file = Files.newBufferedWriter(DIRECTORY.resolve(name + ".properties"))) {
        found.store(file, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number with separators of thousands. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}

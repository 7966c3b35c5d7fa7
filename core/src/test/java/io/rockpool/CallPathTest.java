package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.EnteredFiles;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many source files a warm call passes on its thread. A developer must read these files to know
 * what the call does, and a JVM must load them before the first call. Lower a number when a path
 * has become shorter.
 */
final class CallPathTest {
  /** Enters the calls, and checks the order of locks in tests only. */
  private static final Set<String> OF_TESTS =
      Set.of("io.rockpool.WarmCalls", "io.rockpool.internal.concurrent.HeldLocks");

  /** Files that only encode or lock; all others decide something. */
  private static final Pattern DECIDES_NOTHING =
      Pattern.compile("io\\.rockpool\\.(codec|internal\\.(format|bytes|concurrent))\\..*");

  /** Enough that what caches create at first use is there, such as the stripes of keys. */
  private static final int WARMING_CALLS = 300;

  private static final int CALLS = 20;

  /**
   * @param files the most source files that a call may enter
   * @param deciding the most of them that do more than encode or lock
   */
  private record Limit(int files, int deciding) {}

  private static final Map<String, Limit> LIMITS =
      Map.ofEntries(
          Map.entry("cache.put", new Limit(43, 33)),
          Map.entry("cache.get, cold", new Limit(32, 23)),
          Map.entry("cache.get, hot", new Limit(9, 9)),
          Map.entry("cache.putIfAbsent", new Limit(57, 47)),
          Map.entry("map.put", new Limit(49, 37)),
          Map.entry("queue.send", new Limit(55, 40)),
          Map.entry("scoredSet.add", new Limit(58, 44)),
          Map.entry("deque.offer", new Limit(51, 38)),
          Map.entry("table.put", new Limit(53, 42)),
          Map.entry("counter.increment", new Limit(49, 40)));

  @TempDir Path directory;

  @Test
  @SuppressWarnings("unchecked") // what it returns is loaded by the JDK's loader
  void noCallPassesMoreFiles() throws Exception {
    try (EnteredFiles loader = new EnteredFiles();
        AutoCloseable calls =
            (AutoCloseable)
                loader
                    .loadClass(WarmCalls.class.getName())
                    .getDeclaredConstructor(Path.class)
                    .newInstance(directory)) {
      Map<String, Runnable> byName = ((Callable<Map<String, Runnable>>) calls).call();
      SoftAssertions limits = new SoftAssertions();
      limits.assertThat(byName.keySet()).isEqualTo(LIMITS.keySet());
      byName.forEach((name, call) -> check(limits, name, call));
      limits.assertAll();
    }
  }

  private static void check(SoftAssertions limits, String name, Runnable call) {
    for (int i = 0; i < WARMING_CALLS; i++) {
      call.run();
    }
    // A call may do what others will not have to, such as making room in a buffer.
    Set<String> files =
        Stream.generate(() -> EnteredFiles.of(call))
            .limit(CALLS)
            .min(Comparator.comparingInt(Set::size))
            .orElseThrow();
    files.removeAll(OF_TESTS);
    Set<String> deciding = new TreeSet<>(files);
    deciding.removeIf(DECIDES_NOTHING.asMatchPredicate());
    Limit limit = LIMITS.get(name);
    if (limit != null) {
      limits.assertThat(files).as(name).hasSizeLessThanOrEqualTo(limit.files);
      limits.assertThat(deciding).as(name).hasSizeLessThanOrEqualTo(limit.deciding);
    }
  }

  @Test
  void aCallIsNoted() {
    assertThat(EnteredFiles.of(() -> EnteredFiles.enter("file"))).containsExactly("file");
  }
}

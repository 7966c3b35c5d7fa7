package io.rockpool.sample.crawler;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.sample.testing.Program;
import io.rockpool.sample.testing.Stores;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the crawler as its users do, each time in a JVM of its own, and counts the JDK itself. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class JdkCrawlerTest {
  private static final int CRASH_AFTER = 150;
  private static final int MAX_LINES = 4;

  @TempDir private Path directory;

  @Test
  void runsThatAreKilledComeToWhatOneRunWouldHave() throws Exception {
    try (Program crawler = start("--crash-after", CRASH_AFTER)) {
      assertThat(crawler.output())
          .startsWith("0 directories are done, 1 wait, 0 of them")
          .contains("Killed after 150 directories.");
      assertThat(crawler.exitCode()).isEqualTo(Program.KILLED);
    }
    long seed = System.nanoTime();
    try (Program crawler = start()) {
      // Its first line and some more: while they are read, it continues.
      for (int lines = 1 + new Random(seed).nextInt(MAX_LINES); lines > 0; lines--) {
        assertThat(crawler.readLine()).as("seed %d", seed).contains("directories are");
      }
      crawler.kill();
      assertThat(crawler.output()).as("seed %d", seed).doesNotContain("by this run");
    }
    try (Program crawler = start()) {
      assertThat(crawler.output()).as("seed %d", seed).contains("What most other packages use:");
      assertThat(crawler.exitCode()).isZero();
    }
    assertIsWholeJdk(seed);
    Stores.verify(directory);
  }

  private void assertIsWholeJdk(long seed) throws Exception {
    Map<String, PackageSummary> expected = CountedJdk.directories();
    try (Rockpool pool = Rockpool.open(directory)) {
      Crawl crawl = new Crawl(pool);
      assertThat(crawl.isFinished()).isTrue();
      assertThat(new HashMap<>(crawl.results())).as("seed %d", seed).isEqualTo(expected);
      Map<String, Integer> users = new HashMap<>();
      crawl
          .mostUsed(Integer.MAX_VALUE)
          .forEach(used -> users.put(used.element(), (int) used.score()));
      assertThat(users).as("seed %d", seed).isEqualTo(CountedJdk.users(expected.values()));
    }
  }

  private Program start(Object... options) throws Exception {
    Object[] arguments = new Object[options.length + 2];
    arguments[0] = "--directory";
    arguments[1] = directory;
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Program.start(JdkCrawler.class, arguments);
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.Child;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a store that another process changes all the time. */
@Slow
@Timeout(600)
final class StoreCopyLoadTest {
  private static final int COPIES = Rounds.of(12, 300);
  private static final List<Long> NOTHING = Collections.nCopies(Counting.THREADS, 0L);
  private static final List<Long> ANYTHING =
      Collections.nCopies(Counting.THREADS, Long.MAX_VALUE - 1);

  @TempDir Path store;

  private volatile List<Long> acknowledged = NOTHING;
  private final AtomicLong lines = new AtomicLong();

  @Test
  void everyCopyIsTheStoreAsItWasAtOneMoment() throws Exception {
    try (Child victim = Child.start(CopyVictim.class, Killing.QUIET, store)) {
      Thread reader = new Thread(() -> read(victim));
      reader.start();
      awaitLines(10);
      for (int copy = 0; copy < COPIES; copy++) {
        List<Long> least = acknowledged;
        try (Rockpool pool = Rockpool.at(store).memoryBytes(8L << 20).openCopy()) {
          awaitLines(2); // the second was printed after the copy was made
          check(pool, least, acknowledged, "copy " + copy);
        }
      }
      victim.kill();
      reader.join();
      assertThat(victim.waitFor()).isEqualTo(128 + 9);
    }
    List<Long> last = acknowledged;
    try (Rockpool pool = Rockpool.at(store).openCopy()) {
      check(pool, last, ANYTHING, "the copy of a killed store");
    }
    try (Rockpool pool = Rockpool.open(store)) {
      check(pool, last, ANYTHING, "the store");
    }
    try (Stream<Path> copies = Files.list(store.resolve("copies"))) {
      assertThat(copies).isEmpty();
    }
  }

  private void read(Child victim) {
    try {
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        acknowledged = Counting.parse(line);
        lines.incrementAndGet();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitLines(int more) throws InterruptedException {
    long until = lines.get() + more;
    while (lines.get() < until) {
      Thread.sleep(1);
    }
  }

  private static void check(Rockpool pool, List<Long> least, List<Long> most, String where) {
    assertThat(pool.state().recovery().orElseThrow().changesLost()).as(where).isZero();
    try {
      new Counting(pool).check(least, most);
    } catch (AssertionError e) {
      throw new AssertionError(where, e);
    }
    VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
    assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
  }
}

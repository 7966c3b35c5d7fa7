package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.RestorableTimes;
import io.rockpool.backup.RestoredMoment;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store is changed while its log is shipped and backups are made. Then random moments are
 * restored: each is what a model has after the steps that were made until then.
 */
@Slow
final class PointInTimeTest {
  private static final Logger LOG = LoggerFactory.getLogger(PointInTimeTest.class);
  private static final int MOMENTS = Rounds.of(10, 50);
  private static final Duration WORK = Duration.ofSeconds(Rounds.of(4, 30));

  /** The store notes a moment twice a second; a busy machine may take longer. */
  private static final long RESOLUTION_MILLIS = 5_000;

  private static final int FADED_MILLIS = 50;

  @TempDir Path parent;

  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** The recovery point objective as it was. */
  private long mostUnshipped;

  /** For each step, when it began and when it was acknowledged. */
  private final List<long[]> times = new ArrayList<>();

  private BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  @Test
  void eachMomentIsThatOfTheModel() throws IOException, InterruptedException {
    long start = now();
    work();
    List<Instant> moments = moments();
    int middle = 0;
    try (Model model = new Model(start, Duration.ZERO, true)) {
      for (Instant moment : moments) {
        middle += check(model, moment);
      }
    }
    assertThat(middle).isPositive();
    LOG.info("At most {} ms were not shipped, of {} steps.", mostUnshipped, times.size());
    FaultLog.write(
        FaultLog.Kind.RESTORE,
        "A store is restored at a moment of its life",
        moments.size(),
        Long.toString(seed),
        FaultLog.number(times.size()) + " steps; each store is as the model was then",
        "what was not shipped: " + mostUnshipped + " ms at most");
  }

  private void work() throws InterruptedException {
    long end = now() + WORK.toMillis();
    ShippingOptions options =
        ShippingOptions.defaults()
            .interval(Duration.ofMillis(300))
            .backupPeriod(Duration.ofMillis(1_500));
    try (Rockpool pool =
            Rockpool.at(parent.resolve("store")).memoryBytes(Victim.MEMORY_BYTES).open();
        Shipping shipping = pool.backups().ship(target(), options)) {
      Steps steps = new Steps(new Home(pool, 0), true);
      PersistentMap<Integer, Integer> made = pool.map("made", Integer.class, Integer.class);
      Thread others = new Thread(() -> fill(pool, end));
      others.start();
      for (int step = 0; now() < end; step++) {
        long begun = now();
        steps.run(Victim.stepSeed(seed, 0, step));
        made.put(0, step + 1);
        times.add(new long[] {begun, now()});
        mostUnshipped = Math.max(mostUnshipped, begun - shipping.until().toEpochMilli());
      }
      others.join();
    }
  }

  /** Writes some MB a second, so that files are flushed and compacted. */
  private static void fill(Rockpool pool, long end) {
    PersistentMap<Integer, byte[]> fill = pool.map("fill", Integer.class, byte[].class);
    for (int key = 0; now() < end; key++) {
      fill.put(key % 1_000, new byte[20_000]);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private List<Instant> moments() {
    List<RestorableTimes> ranges = StoreBackups.restorableTimes(target());
    assertThat(ranges).hasSize(1);
    long from = ranges.get(0).from().toEpochMilli();
    long until = ranges.get(0).until().toEpochMilli();
    // The last change was made after the last step had begun; its call may return much later.
    assertThat(until).isGreaterThanOrEqualTo(times.get(times.size() - 1)[0] - 1);
    List<Instant> moments = new ArrayList<>();
    for (int i = 0; i < MOMENTS; i++) {
      moments.add(Instant.ofEpochMilli(random.nextLong(from, until + 1)));
    }
    Collections.sort(moments);
    return moments;
  }

  /** Returns 1 if the moment was not that of a backup. */
  private int check(Model model, Instant moment) throws IOException {
    String where = "seed " + seed + ", " + moment;
    Path directory = parent.resolve("restored");
    RestoredMoment restored =
        StoreBackups.restore(target(), moment, directory, BackupOptions.defaults());
    assertThat(restored.moment()).as(where).isBeforeOrEqualTo(moment);
    assertThat(restored.moment()).as(where).isAfter(moment.minusMillis(RESOLUTION_MILLIS));
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.state().recovery().orElseThrow().clean()).as(where).isTrue();
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
      assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
      int made =
          pool.names().find("made").isEmpty()
              ? 0
              : pool.map("made", Integer.class, Integer.class).getOrDefault(0, 0);
      assertThat(made == 0 || times.get(made - 1)[0] <= moment.toEpochMilli()).as(where).isTrue();
      assertThat(
              made == times.size()
                  || times.get(made)[1] >= moment.toEpochMilli() - RESOLUTION_MILLIS)
          .as(where)
          .isTrue();
      sleepUntil(moment.toEpochMilli() + FADED_MILLIS);
      SortedMap<String, Object> found = new Home(pool, 0).contents();
      // The last step may be there without being noted.
      if (!found.equals(after(model, made))) {
        assertThat(found).as(where).isEqualTo(after(model, made + 1));
      }
    }
    delete(directory);
    return restored.moment().isAfter(restored.backup().created().plusMillis(FADED_MILLIS)) ? 1 : 0;
  }

  private SortedMap<String, Object> after(Model model, int steps) {
    return model.after(List.of(new Stretch(0, seed, 0, steps)), now());
  }

  private static void sleepUntil(long millis) {
    while (now() < millis) {
      Thread.onSpinWait();
    }
  }

  @Test
  void transactionsOfThreadsAreWhole() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    try (Rockpool pool =
            Rockpool.at(parent.resolve("store")).memoryBytes(Victim.MEMORY_BYTES).open();
        Shipping unused =
            pool.backups()
                .ship(target(), ShippingOptions.defaults().interval(Duration.ofMillis(100)))) {
      Counting counting = new Counting(pool);
      List<Thread> threads = new ArrayList<>();
      for (int thread = 0; thread < Counting.THREADS; thread++) {
        int number = thread;
        threads.add(
            new Thread(
                () -> {
                  while (!stopped.get()) {
                    counting.step(number);
                  }
                }));
      }
      threads.forEach(Thread::start);
      Thread.sleep(WORK.toMillis());
      stopped.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    List<Long> nothing = Collections.nCopies(Counting.THREADS, 0L);
    List<Long> anything = Collections.nCopies(Counting.THREADS, Long.MAX_VALUE - 1);
    RestorableTimes range = StoreBackups.restorableTimes(target()).get(0);
    for (int i = 0; i < MOMENTS; i++) {
      Instant moment =
          Instant.ofEpochMilli(
              random.nextLong(range.from().toEpochMilli(), range.until().toEpochMilli() + 1));
      Path directory = parent.resolve("restored");
      StoreBackups.restore(target(), moment, directory, BackupOptions.defaults());
      try (Rockpool pool = Rockpool.open(directory)) {
        new Counting(pool).check(nothing, anything);
        assertThat(pool.verify().isClean()).as("seed " + seed + ", " + moment).isTrue();
      }
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.RestorableTimes;
import io.rockpool.backup.RestoredMoment;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes are killed while they write and ship their log. Every moment that was reported as
 * shipped is restored, and is a state of the store. The next process continues with a new backup.
 */
@Slow
final class ShippingCrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(ShippingCrashTest.class);
  private static final int KILLS = Rounds.of(4, 100);
  private static final long MIN_LIFE_MILLIS = 50;
  private static final long MAX_LIFE_MILLIS = 3_000;

  /** Changes so long before a moment are there. The store notes moments twice a second. */
  private static final long SURE_MILLIS = 2_000;

  private static final List<Long> NOTHING = Collections.nCopies(Counting.THREADS, 0L);
  private static final List<Long> ANYTHING =
      Collections.nCopies(Counting.THREADS, Long.MAX_VALUE - 1);

  @TempDir Path parent;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<Long> lostMillis = new ArrayList<>();
  private final List<Acknowledged> moments = new ArrayList<>();

  /** How far each thread had come at a time between two others. */
  private record Acknowledged(long beforeMillis, List<Long> counts, long afterMillis) {}

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  private BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
  }

  @Test
  void everyShippedMomentIsRestored() throws Exception {
    for (int round = 0; round < KILLS; round++) {
      String where = "seed " + seed + ", round " + round;
      Instant shipped = kill();
      if (!shipped.equals(Instant.MIN)) {
        check(shipped, where);
      }
    }
    Collections.sort(lostMillis);
    LOG.info(
        "{} processes were killed; of the last moments of each, so many ms were not shipped: {}.",
        KILLS,
        lostMillis);
    assertThat(lostMillis).isNotEmpty();
    try (Rockpool pool = Rockpool.open(parent.resolve("store"))) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).isZero();
      assertThat(pool.verify().isClean()).isTrue();
    }
    FaultLog.write(
        FaultLog.Kind.RESTORE,
        "A process that ships its log is killed",
        KILLS,
        Long.toString(seed),
        "each shipped moment is restored",
        "what was not shipped: " + lostMillis.get(lostMillis.size() - 1) + " ms at most");
  }

  /** Returns the last moment that a process reported. */
  private Instant kill() throws IOException, InterruptedException {
    Instant shipped = Instant.MIN;
    long[] killedMillis = new long[1];
    try (Child victim =
        Child.start(
            ShippingVictim.class,
            Killing.QUIET,
            parent.resolve("backups"),
            parent.resolve("store"))) {
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        String[] words = line.split(" ", -1);
        if (!words[words.length - 1].equals("end")) {
          continue; // it was killed while it wrote
        }
        if (shipped.equals(Instant.MIN)) {
          killLater(victim, killedMillis);
        }
        shipped = Instant.ofEpochMilli(Long.parseLong(words[0]));
        moments.add(
            new Acknowledged(
                Long.parseLong(words[1]), Counting.parse(words[2]), Long.parseLong(words[3])));
      }
    }
    lostMillis.add(killedMillis[0] - shipped.toEpochMilli());
    return shipped;
  }

  private void killLater(Child victim, long[] killedMillis) {
    Future<?> unused =
        timer.schedule(
            () -> {
              killedMillis[0] = System.currentTimeMillis();
              victim.kill();
              return victim;
            },
            random.nextLong(MIN_LIFE_MILLIS, MAX_LIFE_MILLIS),
            TimeUnit.MILLISECONDS);
  }

  private void check(Instant shipped, String where) throws IOException {
    List<RestorableTimes> ranges = StoreBackups.restorableTimes(target());
    RestorableTimes newest = ranges.get(ranges.size() - 1);
    assertThat(newest.until()).as(where).isAfterOrEqualTo(shipped);
    checkRestored(newest.until(), where);
    RestorableTimes any = ranges.get(random.nextInt(ranges.size()));
    checkRestored(
        Instant.ofEpochMilli(
            random.nextLong(any.from().toEpochMilli(), any.until().toEpochMilli() + 1)),
        where);
  }

  private List<Long> least(Instant moment) {
    List<Long> least = NOTHING;
    for (Acknowledged each : moments) {
      least = each.afterMillis() < moment.toEpochMilli() - SURE_MILLIS ? each.counts() : least;
    }
    return least;
  }

  private List<Long> most(Instant moment) {
    return moments.stream()
        .filter(each -> each.beforeMillis() > moment.toEpochMilli())
        .findFirst()
        .map(Acknowledged::counts)
        .orElse(ANYTHING);
  }

  private void checkRestored(Instant moment, String where) throws IOException {
    Path directory = parent.resolve("restored");
    RestoredMoment restored =
        StoreBackups.restore(target(), moment, directory, BackupOptions.defaults());
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.state().recovery().orElseThrow().clean()).as(where).isTrue();
      try {
        new Counting(pool).check(least(restored.moment()), most(restored.moment()));
      } catch (AssertionError e) {
        throw new AssertionError(where + ", " + moment + ", " + restored, e);
      }
      assertThat(pool.verify().isClean()).as(where).isTrue();
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

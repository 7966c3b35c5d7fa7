package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes are killed while they write and make backups. Every backup that they have completed is
 * there and is a state of the store; no other is. The next process continues.
 */
@Slow
final class BackupCrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(BackupCrashTest.class);
  private static final int KILLS = Rounds.of(10, 200);
  private static final int RESTORES = Math.max(4, KILLS / 10);
  private static final long MAX_LIFE_SECONDS = 60;

  private static final List<Long> NOTHING = Collections.nCopies(Counting.THREADS, 0L);
  private static final List<Long> ANYTHING =
      Collections.nCopies(Counting.THREADS, Long.MAX_VALUE - 1);

  @TempDir Path parent;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** What was acknowledged before and after each backup, by its number. */
  private final Map<Long, List<List<Long>>> bounds = new HashMap<>();

  private long backupMicros = 300_000;
  private long newest;
  private List<Long> begun = NOTHING;

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  private Path store() {
    return parent.resolve("store");
  }

  private BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
  }

  @Test
  void everyBackupIsCompleteOrNotThere() throws Exception {
    int added = 0;
    for (int round = 0; round < KILLS; round++) {
      String where = "seed " + seed + ", round " + round;
      kill(round);
      added += check(where);
      if (round % 5 == 4) {
        checkStore(where);
      }
    }
    LOG.info("{} of {} killed processes had just completed a backup.", added, KILLS);
    checkStore("seed " + seed);
    for (BackupInfo info : StoreBackups.list(target())) {
      checkRestored(info, "seed " + seed + ", at the end");
    }
    FaultLog.write(
        FaultLog.Kind.RESTORE,
        "A process that makes backups is killed",
        KILLS,
        Long.toString(seed),
        "each backup is complete or not there, and the store is whole",
        "nothing");
  }

  /** Starts a process, and kills it at a random point of its first or second backup. */
  private void kill(int round) throws IOException, InterruptedException {
    int begins = 1 + random.nextInt(2);
    long started = 0;
    try (Child victim =
        Child.start(
            BackupVictim.class,
            Killing.QUIET,
            BackupVictim.BACK_UP,
            parent.resolve("backups"),
            store(),
            seed + round)) {
      killAfter(victim, TimeUnit.SECONDS.toMicros(MAX_LIFE_SECONDS));
      long life = System.nanoTime();
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case BackupVictim.BEGIN -> {
            begun = Counting.parse(words[1]);
            started = System.nanoTime();
            if (--begins == 0) {
              killAfter(victim, random.nextLong(backupMicros * 5 / 4));
            }
          }
          case BackupVictim.DONE -> {
            newest = Long.parseLong(words[1]);
            bounds.put(newest, List.of(begun, Counting.parse(words[2])));
            backupMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
          }
          default -> throw new AssertionError("A victim failed; see what it printed.");
        }
      }
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - life))
          .isLessThan(MAX_LIFE_SECONDS);
    }
  }

  private void killAfter(Child victim, long micros) {
    Future<?> unused =
        timer.schedule(
            () -> {
              victim.kill();
              return victim;
            },
            micros,
            TimeUnit.MICROSECONDS);
  }

  /** Checks the newest backup; returns 1 if the killed process has made it without printing so. */
  private int check(String where) throws IOException {
    if (Files.notExists(parent.resolve("backups/backups"))) {
      assertThat(newest).as(where).isZero();
      return 0;
    }
    List<BackupInfo> backups = StoreBackups.list(target());
    if (backups.isEmpty()) {
      assertThat(newest).as(where).isZero();
      return 0;
    }
    BackupInfo last = backups.get(backups.size() - 1);
    assertThat(last.number()).as(where).isBetween(newest, newest + 1);
    int added = 0;
    if (last.number() > newest) {
      newest = last.number();
      bounds.put(newest, List.of(begun, ANYTHING));
      added = 1;
    }
    // A process may be killed before it has deleted what is not kept.
    assertThat(backups).as(where).hasSizeBetween((int) Math.min(newest, BackupVictim.KEPT), 4);
    checkRestored(backups.get(random.nextInt(backups.size())), where);
    return added;
  }

  private void checkRestored(BackupInfo info, String where) throws IOException {
    Path directory = parent.resolve("restored");
    StoreBackups.restore(target(), info.number(), directory, BackupOptions.defaults());
    List<List<Long>> bound = bounds.get(info.number());
    check(directory, true, bound.get(0), bound.get(1), where + ", backup " + info.number());
    delete(directory);
  }

  private void checkStore(String where) {
    check(store(), false, begun, ANYTHING, where + ", the store");
    assertThat(store().resolve("checkpoints")).as(where).doesNotExist();
  }

  private static void check(
      Path directory, boolean wasClosed, List<Long> least, List<Long> most, String where) {
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(!wasClosed || pool.state().recovery().orElseThrow().clean()).as(where).isTrue();
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

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aKilledRestoreLeavesNoStore() throws Exception {
    try (Rockpool pool = Rockpool.open(store())) {
      Counting counting = new Counting(pool);
      for (int step = 0; step < 3_000; step++) {
        counting.step(step % Counting.THREADS);
      }
      pool.backups().make(target());
    }
    List<Long> all = Collections.nCopies(Counting.THREADS, 1_000L);
    int complete = 0;
    long restoreMicros = 50_000;
    for (int round = 0; round < RESTORES; round++) {
      Path directory = parent.resolve("restored-" + round);
      @Nullable Long done = null;
      try (Child victim =
          Child.start(
              BackupVictim.class,
              Killing.QUIET,
              BackupVictim.RESTORE,
              parent.resolve("backups"),
              directory)) {
        assertThat(victim.readLine()).isEqualTo(BackupVictim.BEGIN);
        long started = System.nanoTime();
        killAfter(
            victim, round == 0 ? TimeUnit.SECONDS.toMicros(30) : random.nextLong(restoreMicros));
        if (victim.readLine() != null) {
          done = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
          restoreMicros = round == 0 ? done : restoreMicros;
        }
      }
      if (done != null || Files.exists(directory.resolve("ROCKPOOL"))) {
        check(directory, true, all, all, "round " + round);
        complete++;
      } else if (Files.exists(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          if (files.findAny().isPresent()) {
            assertThatExceptionOfType(ForeignDirectoryException.class)
                .isThrownBy(() -> Rockpool.open(directory));
          }
        }
      }
    }
    assertThat(complete).isPositive();
    LOG.info("{} of {} restores were complete.", complete, RESTORES);
    FaultLog.write(
        FaultLog.Kind.RESTORE,
        "A restore is killed",
        RESTORES,
        Long.toString(seed),
        "the restored store is complete, or does not open",
        "nothing");
  }
}

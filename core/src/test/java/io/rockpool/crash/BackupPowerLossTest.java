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
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power fails on the disk of the backups: what was reported as made is there. */
@Slow
@Needs(Tool.STRACE)
final class BackupPowerLossTest {
  private static final int CUTS = Integer.getInteger("rockpool.test.powerCuts", 4);

  @TempDir Path parent;

  @Test
  void aCompleteBackupSurvivesAndNoOtherIsHalf() throws Exception {
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    Random random = new Random(seed);
    Path disk = parent.resolve("disk");
    TracedRun run =
        TracedRun.of(
            parent.resolve("calls"),
            List.of(),
            BackupSchedule.class,
            parent.resolve("store"),
            disk.resolve("deep/backups"),
            disk.resolve("other/restored"));
    for (int backup = 1; backup <= BackupSchedule.BACKUPS; backup++) {
      check(run, disk, run.placeOf(Integer.toString(backup)), null, seed);
    }
    check(run, disk, run.placeOf(BackupSchedule.RESTORED), null, seed);
    for (int cut = 0; cut < 10 * CUTS; cut++) {
      check(run, disk, random.nextInt(run.end()), random.nextBoolean() ? random : null, seed);
    }
    FaultLog.write(
        FaultLog.Kind.POWER,
        "The power fails during backups and a restore",
        10L * CUTS,
        Long.toString(seed),
        "each backup that was reported is complete, no other is half",
        "nothing");
  }

  private void check(TracedRun run, Path disk, int place, @Nullable Random random, long seed)
      throws IOException {
    String where = "seed " + seed + ", power lost at " + place + " of " + run.end();
    Path left = Files.createTempDirectory(parent, "left");
    run.powerLost(disk, place, random, left);
    List<String> said = run.linesBefore(place);
    long newest = said.stream().filter(line -> line.matches("\\d")).count();
    Path backups = left.resolve("deep/backups");
    if (newest > 0 || Files.exists(backups.resolve("backups"))) {
      BackupTarget target = DirectoryTarget.at(backups);
      List<BackupInfo> all = StoreBackups.list(target);
      long last = all.isEmpty() ? 0 : all.get(all.size() - 1).number();
      assertThat(last).as(where).isBetween(newest, newest + 1);
      assertThat(all).as(where).hasSizeGreaterThanOrEqualTo((int) Math.min(newest, 2));
      for (BackupInfo info : all) {
        Path to = Files.createTempDirectory(parent, "to");
        StoreBackups.restore(target, info.number(), to, BackupOptions.defaults());
        checkStore(to, info.number(), where);
      }
    }
    Path restored = left.resolve("other/restored");
    if (said.contains(BackupSchedule.RESTORED) || Files.exists(restored.resolve("ROCKPOOL"))) {
      checkStore(restored, BackupSchedule.BACKUPS, where);
    } else if (Files.exists(restored)) {
      try (Stream<Path> files = Files.list(restored)) {
        if (files.findAny().isPresent()) {
          assertThatExceptionOfType(ForeignDirectoryException.class)
              .as(where)
              .isThrownBy(() -> Rockpool.open(restored));
        }
      }
    }
  }

  private static void checkStore(Path directory, long size, String where) {
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.state().recovery().orElseThrow().clean()).as(where).isTrue();
      assertThat(pool.set("set", Integer.class)).as(where).hasSize((int) size);
      assertThat(pool.verify().isClean()).as(where).isTrue();
    }
  }
}

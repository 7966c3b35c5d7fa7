package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup has caches, every kind of collection, large values, and what was cleared or expired. */
@Tag("encrypted")
final class BackupOfEverythingTest {
  @TempDir private Path parent;

  @Test
  void theRestoredStoreIsTheSame() {
    BackupTarget target = DirectoryTarget.at(parent.resolve("backups"));
    Path restored = parent.resolve("restored");
    FakeClock clock = new FakeClock();
    List<String> before;
    VerifyReport sound;
    try (Rockpool pool = Rockpool.at(parent.resolve("store")).clock(clock).open()) {
      StoreOfEverything.fill(pool, clock);
      pool.backups().make(target);
      sound = pool.verify();
      before = describe(pool);
      assertThat(pool.backups().verify(target).isClean()).isTrue();
    }
    StoreBackups.restore(target, restored);
    try (Rockpool pool = Rockpool.at(restored).clock(clock).open()) {
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
      assertThat(report.isClean()).as(report.toString()).isTrue();
      assertThat(report.spaces()).isEqualTo(sound.spaces());
      assertThat(describe(pool)).isEqualTo(before);
    }
  }

  private static List<String> describe(Rockpool pool) {
    return pool.names().list().stream()
        .map((Description name) -> name.name() + " " + name.type() + " " + name.options())
        .toList();
  }
}

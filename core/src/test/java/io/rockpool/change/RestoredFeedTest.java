package io.rockpool.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.DirectoryTarget;
import io.rockpool.backup.Shipping;
import io.rockpool.backup.ShippingOptions;
import io.rockpool.error.ChangesLostException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.FakeClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restored store does not give the positions of changes that it has lost to other changes. */
final class RestoredFeedTest {
  private static final int BEFORE = 5;

  @TempDir private Path parent;
  private final FakeClock clock = new FakeClock();

  private BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
  }

  private Rockpool open(String directory) {
    return Rockpool.at(parent.resolve(directory)).clock(clock).open();
  }

  private static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map(
        "map", Integer.class, String.class, o -> o.changes(ChangeOptions.keep(Duration.ofDays(7))));
  }

  private static void write(Rockpool pool, int from, int until, String text) {
    IntStream.range(from, until).forEach(i -> map(pool).put(i, text + i));
  }

  private static ChangeFeed<Integer, String> feed(Rockpool pool) {
    map(pool);
    return pool.changes("map", Integer.class, String.class);
  }

  private static List<ChangeEvent<Integer, String>> read(Rockpool pool, long position) {
    return feed(pool).poll(position, 1_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, BEFORE, BEFORE + 1, 101})
  void aReaderLearnsThatTheStoreWasRestored(int seen) {
    long position;
    Instant moment;
    try (Rockpool pool = open("store")) {
      write(pool, 0, BEFORE, "kept ");
      feed(pool).cursor("cursor").commit();
      pool.backups().make(target());
      position = feed(pool).oldest() + seen;
      write(pool, BEFORE, 101, "lost ");
      assertThat(read(pool, position)).hasSize(101 - seen);
      moment = clock.instant();
    }
    StoreBackups.restore(target(), parent.resolve("restored"));
    clock.advanceMillis(1);
    long next;
    try (Rockpool pool = open("restored")) {
      assertThatThrownBy(() -> read(pool, position)).isInstanceOf(ChangesLostException.class);
      write(pool, 0, 110, "other ");
      assertThatThrownBy(() -> read(pool, position))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("restored");
      ChangeCursor<Integer, String> cursor = feed(pool).cursor("cursor");
      assertThatThrownBy(() -> cursor.poll(10)).isInstanceOf(ChangesLostException.class);
      next = feed(pool).oldest();
      assertThat(read(pool, next)).hasSize(110);
      assertThat(pool.verify().isClean()).isTrue();
      assertThat(map(pool)).hasSize(110);
    }
    try (Rockpool pool = open("restored")) { // only the first opening starts anew
      assertThat(feed(pool).oldest()).isEqualTo(next);
      assertThat(read(pool, next)).hasSize(110);
    }
    assertThat(moment).isBefore(clock.instant());
  }

  /** The clock may not have moved since the backup. */
  @Test
  void aRestoredBackupOfARestoredStoreIsAnewToo() {
    try (Rockpool pool = open("store")) {
      write(pool, 0, BEFORE, "kept ");
      pool.backups().make(target());
    }
    String directory = "first";
    long before = 0;
    for (String next : List.of("second", "third")) {
      StoreBackups.restore(target(), parent.resolve(directory));
      try (Rockpool pool = open(directory)) {
        long oldest = feed(pool).oldest();
        assertThat(oldest).isGreaterThan(before);
        assertThat(read(pool, oldest)).isEmpty();
        write(pool, 0, BEFORE, "other ");
        before = oldest;
        pool.backups().make(target());
      }
      directory = next;
    }
  }

  @Test
  void soDoesAMomentThatWasRestored() {
    long position;
    Instant moment;
    try (Rockpool pool = open("store");
        Shipping shipping =
            pool.backups()
                .ship(target(), ShippingOptions.defaults().interval(Duration.ofDays(1)))) {
      write(pool, 0, BEFORE, "kept ");
      clock.advanceMillis(1_000);
      moment = clock.instant();
      shipping.ship();
      position = feed(pool).oldest();
    }
    try (Rockpool pool = StoreBackups.open(target(), moment)) {
      assertThat(pool.changes("map", Integer.class, String.class).poll(position, 10))
          .hasSize(BEFORE);
    }
    StoreBackups.restore(target(), moment, parent.resolve("restored"), BackupOptions.defaults());
    try (Rockpool pool = open("restored")) {
      assertThatThrownBy(() -> read(pool, position)).isInstanceOf(ChangesLostException.class);
      assertThat(map(pool)).hasSize(BEFORE);
    }
  }
}

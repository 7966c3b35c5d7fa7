package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.StoreBackups;
import io.rockpool.cache.PersistentCache;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ReadOnlyStoreException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shipped, kept and found when a store's log is shipped; on a clock of the test. */
@Slow
final class ShippingTest {
  /** The thread does nothing by itself. */
  private static final ShippingOptions BY_HAND =
      ShippingOptions.defaults().interval(Duration.ofDays(1));

  private static final long SECOND = 1_000;

  @TempDir Path parent;
  private final FakeClock clock = new FakeClock();

  private BackupFiles files() {
    return new BackupFiles(parent);
  }

  private Rockpool open() {
    return Rockpool.at(files().store()).clock(clock).open();
  }

  private Instant tick() {
    clock.advanceMillis(SECOND);
    return clock.instant();
  }

  private Map<Integer, String> at(Instant moment) {
    try (Rockpool pool = StoreBackups.open(files().target(), moment)) {
      assertThat(pool.verify().isClean()).isTrue();
      return new TreeMap<>(BackupFiles.map(pool));
    }
  }

  /** The segments, in the order of their changes. */
  private List<Path> segments() throws IOException {
    return BackupFiles.files(files().backups().resolve("log")).stream()
        .sorted(
            Comparator.comparing(
                segment -> Long.valueOf(segment.getFileName().toString().split("-", -1)[1])))
        .toList();
  }

  @Test
  void eachShippedMomentIsRestored() {
    List<Instant> moments = new ArrayList<>();
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      for (int key = 0; key < 20; key++) {
        tick();
        BackupFiles.map(pool).put(key, "value " + key);
        if (key % 7 == 3) {
          BackupFiles.map(pool).clear();
        }
        moments.add(tick());
        shipping.ship();
        assertThat(shipping.until()).isEqualTo(moments.get(key));
      }
    }
    Map<Integer, String> expected = new TreeMap<>();
    for (int key = 0; key < 20; key++) {
      expected.put(key, "value " + key);
      if (key % 7 == 3) {
        expected.clear();
      }
      assertThat(at(moments.get(key))).isEqualTo(expected);
    }
  }

  /** Many entries are in the buffer of writes when the moment is marked, and others come after. */
  @Test
  void aMomentHasTheEntriesThatWereBufferedThen() {
    int keys = 3_000;
    List<Instant> moments = new ArrayList<>();
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      for (int moment = 0; moment < 4; moment++) {
        put(pool, keys, moment);
        moments.add(tick());
        shipping.ship();
        put(pool, keys / 2, -1);
        tick();
      }
      shipping.ship();
    }
    for (int moment = 0; moment < moments.size(); moment++) {
      try (Rockpool pool = StoreBackups.open(files().target(), moments.get(moment))) {
        assertThat(pool.verify().isClean()).isTrue();
        for (int key = 0; key < keys; key++) {
          assertThat(entries(pool).get(key)).isEqualTo(key + " of " + moment);
        }
      }
    }
  }

  private static PersistentCache<Integer, String> entries(Rockpool pool) {
    return pool.cache("entries", Integer.class, String.class);
  }

  private static void put(Rockpool pool, int keys, int moment) {
    for (int key = keys - 1; key >= 0; key--) {
      entries(pool).put(key, key + " of " + moment);
    }
  }

  /** As after a disk was replaced, or a server of files came back empty. */
  @Test
  void aTargetThatHasVanishedGetsANewBackup() throws IOException {
    Instant moment;
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.map(pool).put(1, "before");
      tick();
      shipping.ship();
      DirectoryTree.delete(files().backups());
      BackupFiles.map(pool).put(2, "meanwhile");
      tick();
      assertThatThrownBy(shipping::ship)
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("There are no backups in");
      assertThat(files().backups()).doesNotExist();
      shipping.ship();
      BackupFiles.map(pool).put(3, "after");
      moment = tick();
      shipping.ship();
    }
    assertThat(at(moment)).isEqualTo(Map.of(1, "before", 2, "meanwhile", 3, "after"));
  }

  /** As after the loss of a machine: nothing has opened a store in the process. */
  @Test
  void aNewProcessRestoresAMoment() throws Exception {
    Instant moment;
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.map(pool).put(1, "after the backup");
      moment = tick();
      shipping.ship();
    }
    Path restored = parent.resolve("restored");
    try (Child process =
        Child.start(Restorer.class, List.of(), files().backups(), moment, restored)) {
      assertThat(process.waitFor()).isZero();
    }
    try (Rockpool pool = Rockpool.at(restored).clock(clock).open()) {
      assertThat(BackupFiles.map(pool)).isEqualTo(Map.of(1, "after the backup"));
    }
  }

  /** Restores a moment. Arguments: the backups, the moment, the directory. */
  static final class Restorer {
    private Restorer() {}

    public static void main(String[] arguments) {
      RestoredMoment unused =
          StoreBackups.restore(
              DirectoryTarget.at(Path.of(arguments[0])),
              Instant.parse(arguments[1]),
              Path.of(arguments[2]),
              BackupOptions.defaults());
    }
  }

  @Test
  void namesAndClassesFollow() throws IOException {
    Instant first;
    Instant second;
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      pool.cache("shapes", String.class, Object.class).put("a", new Shape("a"));
      first = tick();
      shipping.ship();
      BackupFiles.fill(pool, 0, 100);
      pool.names().rename("shapes", "forms");
      pool.map("dropped", Integer.class, String.class).put(1, "a");
      pool.names().drop("dropped");
      second = tick();
      shipping.ship();
    }
    Path caches = parent.resolve("caches");
    RestoredMoment restored =
        StoreBackups.restore(files().target(), first, caches, BackupOptions.defaults());
    assertThat(restored.moment()).isEqualTo(first);
    assertThat(caches.resolve("caches-only")).exists();
    try (Rockpool pool = Rockpool.open(caches)) {
      assertThat(pool.state().recovery().orElseThrow().clean()).isTrue();
      assertThat(pool.names().list()).hasSize(1);
      assertThat(pool.cache("shapes", String.class, Object.class).get("a"))
          .isEqualTo(new Shape("a"));
    }
    Path both = parent.resolve("both");
    StoreBackups.restore(files().target(), second, both, BackupOptions.defaults());
    assertThat(both.resolve("caches-only")).doesNotExist();
    try (Rockpool pool = Rockpool.open(both)) {
      assertThat(pool.names().list()).extracting(entry -> entry.name()).contains("forms", "map");
      assertThat(pool.names().list()).hasSize(3);
      assertThat(BackupFiles.map(pool)).hasSize(100);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  private record Shape(String name) {}

  @Test
  void anOpenedBackupShowsWhatHadNotExpired() {
    Instant moment;
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.map(pool).put(1, "brief", Duration.ofMinutes(1));
      moment = tick();
      shipping.ship();
      clock.advanceMillis(Duration.ofHours(1).toMillis());
      shipping.ship();
    }
    try (Rockpool pool = StoreBackups.open(files().target(), moment)) {
      assertThat(BackupFiles.map(pool)).containsExactly(Map.entry(1, "brief"));
      assertThatExceptionOfType(ReadOnlyStoreException.class)
          .isThrownBy(() -> BackupFiles.map(pool).put(2, "b"))
          .withMessageContaining("a copy of a backup in " + files().backups());
    }
    assertThat(at(moment.plus(Duration.ofMinutes(2)))).isEmpty();
    try (Rockpool pool = StoreBackups.open(files().target())) {
      assertThat(pool.names().list()).isEmpty();
    }
  }

  @Test
  void anIdleStoreHasOneObject() throws IOException {
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.map(pool).put(1, "a");
      tick();
      shipping.ship();
      assertThat(segments()).hasSize(1);
      for (int round = 0; round < 5; round++) {
        Instant now = tick();
        shipping.ship();
        assertThat(shipping.until()).isEqualTo(now);
        assertThat(segments()).hasSize(2);
      }
      Instant idle = clock.instant();
      tick();
      BackupFiles.map(pool).put(2, "b");
      Instant end = tick();
      shipping.ship();
      assertThat(segments()).hasSize(2);
      assertThat(at(idle)).hasSize(1);
      assertThat(at(idle.minusMillis(1))).hasSize(1);
      assertThat(at(end)).hasSize(2);
      assertThat(StoreBackups.restorableTimes(files().target())).hasSize(1);
    }
  }

  @Test
  void closingShipsTheRest() {
    Instant first;
    Instant second;
    try (Rockpool pool = open()) {
      Shipping shipping = pool.backups().ship(files().target(), BY_HAND);
      assertThat(pool.state().statistics().orElseThrow().shippedUntil()).hasValue(clock.instant());
      BackupFiles.fill(pool, 0, 10);
      first = tick();
      shipping.close();
      shipping.close();
      assertThat(pool.state().statistics().orElseThrow().shippedUntil()).isEmpty();
      assertThatExceptionOfType(StoreClosedException.class).isThrownBy(shipping::ship);
      assertThat(at(first)).hasSize(10);
      tick();
      Shipping unused = pool.backups().ship(files().target(), BY_HAND);
      BackupFiles.fill(pool, 10, 20);
      second = tick();
    }
    assertThat(at(second)).hasSize(20);
    assertThat(StoreBackups.restorableTimes(files().target())).hasSize(2);
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> at(first.plusMillis(1)))
        .withMessageContaining(first.toString())
        .withMessageContaining(second.toString());
    assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> at(second.plusMillis(1)));
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> at(Instant.parse("2029-01-01T00:00:00Z")));
  }

  @Test
  void oneStoreIsShippedOnce() {
    try (Rockpool pool = open();
        Rockpool other = Rockpool.open(parent.resolve("other"));
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.backups().ship(DirectoryTarget.at(parent.resolve("b")), BY_HAND));
      assertThatExceptionOfType(StoreLockedException.class)
          .isThrownBy(() -> other.backups().ship(files().target(), BY_HAND));
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  other.runAtomically(
                      tx -> other.backups().ship(files().target(), BY_HAND).close()));
      tick();
      shipping.ship();
      Shipping second = other.backups().ship(DirectoryTarget.at(parent.resolve("c")), BY_HAND);
      second.close();
    }
  }

  @Test
  void backupsAreMadeMeanwhileAndOldLogsGo() throws IOException {
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      List<Instant> moments = new ArrayList<>();
      for (int round = 0; round < 6; round++) {
        BackupFiles.fill(pool, 10 * round, 10 * round + 10);
        moments.add(tick());
        shipping.ship();
        tick();
        pool.backups().make(files().target(), BackupOptions.defaults().keep(3));
      }
      assertThat(StoreBackups.list(files().target())).hasSize(3);
      tick();
      shipping.ship();
      // Those before the oldest backup are gone; the one at its end may stay.
      assertThat(segments()).hasSizeBetween(3, 4);
      assertThat(StoreBackups.restorableTimes(files().target())).hasSize(1);
      assertThat(at(moments.get(4))).hasSize(50);
      assertThat(at(moments.get(5))).hasSize(60);
      assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> at(moments.get(2)));
    }
  }

  @Test
  void theBackupOfALogThatIsShippedStays() {
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.fill(pool, 0, 10);
      Instant first = tick();
      shipping.ship();
      for (int round = 0; round < 3; round++) {
        // As another process does that looks at the store.
        try (Rockpool copy = Rockpool.at(files().store()).clock(clock).openCopy()) {
          copy.backups().make(files().target(), BackupOptions.defaults().keep(1));
        }
      }
      assertThat(StoreBackups.list(files().target()))
          .extracting(BackupInfo::number)
          .containsExactly(1L, 4L);
      BackupFiles.fill(pool, 10, 20);
      Instant second = tick();
      shipping.ship();
      assertThat(at(first)).hasSize(10);
      assertThat(at(second)).hasSize(20);
    }
  }

  @Test
  void aBackupIsMadeWhenItIsDueAndTheTimeToKeepIsKept() throws IOException, InterruptedException {
    ShippingOptions options =
        BY_HAND.backupPeriod(Duration.ofHours(1)).keep(Duration.ofMinutes(150));
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), options)) {
      List<Instant> moments = new ArrayList<>();
      for (int round = 0; round < 60; round++) {
        BackupFiles.map(pool).put(round, "value");
        clock.advanceMillis(Duration.ofMinutes(10).toMillis());
        moments.add(clock.instant());
        shipping.ship();
        awaitBackup(shipping, clock.instant().minus(options.backupPeriod()));
      }
      assertThat(StoreBackups.list(files().target())).hasSizeBetween(3, 5);
      assertThat(at(moments.get(45))).hasSize(46);
      assertThat(at(moments.get(59))).hasSize(60);
      assertThat(StoreBackups.restorableTimes(files().target()).get(0).from())
          .isAfter(moments.get(30))
          .isBefore(moments.get(46));
      assertThat(segments()).hasSizeLessThan(30);
    }
  }

  /** Backups are made on another thread. */
  private void awaitBackup(Shipping shipping, Instant after) throws InterruptedException {
    for (int look = 0; look < 1_000; look++) {
      List<BackupInfo> backups = StoreBackups.list(files().target());
      if (backups.get(backups.size() - 1).created().isAfter(after)) {
        return;
      }
      Thread.sleep(10);
      shipping.ship(); // the one before may still have been deleting old ones
    }
    throw new AssertionError("There is no backup after " + after + ".");
  }

  /** A target whose disk may be gone. */
  private static final class Failing implements BackupTarget {
    private final BackupTarget target;
    private volatile boolean failing;
    private volatile boolean failingAfter;

    private Failing(BackupTarget target) {
      this.target = target;
    }

    private void check(boolean fails) throws IOException {
      if (fails) {
        throw new IOException("the target is not there");
      }
    }

    @Override
    public Closeable lock(String name) throws IOException {
      check(failing);
      return target.lock(name);
    }

    @Override
    public void put(String name, long bytes, InputStream content) throws IOException {
      check(failing);
      target.put(name, bytes, content);
      check(failingAfter);
    }

    @Override
    public InputStream get(String name) throws IOException {
      return target.get(name);
    }

    @Override
    public Map<String, Long> list(String folder) throws IOException {
      check(failing);
      return target.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
      check(failing);
      target.delete(name);
    }
  }

  @Test
  void aTargetThatFailsForSomeTimeLeavesNoGap() {
    Failing target = new Failing(files().target());
    List<Instant> moments = new ArrayList<>();
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(target, BY_HAND)) {
      for (int round = 0; round < 12; round++) {
        target.failing = round % 4 == 1;
        target.failingAfter = round % 4 == 2;
        BackupFiles.map(pool).put(round, "value");
        moments.add(tick());
        if (target.failing || target.failingAfter) {
          assertThatExceptionOfType(StoreIoException.class).isThrownBy(shipping::ship);
        } else {
          shipping.ship();
        }
      }
    }
    assertThat(StoreBackups.list(files().target())).hasSize(1);
    for (int round = 0; round < 12; round++) {
      assertThat(at(moments.get(round)).size()).isEqualTo(round + 1);
    }
  }

  @Test
  void afterAGapThereIsANewBackup() {
    Failing target = new Failing(files().target());
    try (Rockpool pool = Rockpool.at(files().store()).clock(clock).memoryBytes(8 << 20).open();
        Shipping shipping = pool.backups().ship(target, BY_HAND.maxUnshippedBytes(1 << 20))) {
      BackupFiles.map(pool).put(1, "before");
      Instant before = tick();
      shipping.ship();
      target.failing = true;
      PersistentMap<Integer, byte[]> large = pool.map("large", Integer.class, byte[].class);
      for (int key = 0; key < 20; key++) {
        byte[] bytes = new byte[1 << 20];
        new Random(key).nextBytes(bytes); // cannot be compressed
        large.put(key, bytes);
        tick();
        assertThatExceptionOfType(StoreIoException.class).isThrownBy(shipping::ship);
      }
      Instant lost = clock.instant();
      target.failing = false;
      tick();
      shipping.ship();
      assertThat(StoreBackups.list(target)).hasSize(2);
      BackupFiles.map(pool).put(2, "after");
      Instant after = tick();
      shipping.ship();
      assertThat(at(before)).hasSize(1);
      assertThat(at(after)).hasSize(2);
      assertThatExceptionOfType(StoreIoException.class).isThrownBy(() -> at(lost));
      assertThat(StoreBackups.restorableTimes(target)).hasSize(2);
    }
  }

  @Test
  @NotEncrypted("knows which segment has which write")
  void damagedAndMissingSegmentsAreFound() throws IOException {
    List<Instant> moments = new ArrayList<>();
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      for (int round = 0; round < 4; round++) {
        BackupFiles.map(pool).put(round, "value");
        moments.add(tick());
        shipping.ship();
      }
    }
    Random random = new Random(1);
    Instant last = moments.get(3);
    for (Path segment : segments()) {
      byte[] before = Files.readAllBytes(segment);
      for (int i = 0; i < 10; i++) {
        byte[] damaged = before.clone();
        damaged[random.nextInt(before.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(segment, damaged);
        assertThatExceptionOfType(CorruptStoreException.class)
            .isThrownBy(() -> at(last))
            .withMessageContaining("log/");
      }
      Files.delete(segment);
      assertThatExceptionOfType(StoreIoException.class)
          .isThrownBy(() -> at(last))
          .withMessageContaining("They can restore");
      Files.write(segment, before);
    }
    BackupFiles.flip(segments().get(2), 60);
    assertThat(at(moments.get(1))).hasSize(2);
    assertThatExceptionOfType(CorruptStoreException.class)
        .isThrownBy(() -> at(last))
        .withMessageContaining("Times until " + moments.get(1));
  }

  @Test
  void aRestoredStoreIsATimelineOfItsOwn() {
    Instant before;
    Instant ofCopy;
    try (Rockpool pool = open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.fill(pool, 0, 10);
      before = tick();
      shipping.ship();
      BackupFiles.fill(pool, 10, 20);
      tick();
    }
    Path copy = parent.resolve("copy");
    StoreBackups.restore(files().target(), before, copy, BackupOptions.defaults());
    tick();
    try (Rockpool pool = Rockpool.at(copy).clock(clock).open();
        Shipping shipping = pool.backups().ship(files().target(), BY_HAND)) {
      BackupFiles.fill(pool, 100, 130);
      ofCopy = tick();
      shipping.ship();
      assertThat(pool.backups().verify(files().target(), ofCopy, parent).isClean()).isTrue();
      assertThat(BackupFiles.verifiedBackup(pool)).isPresent();
    }
    assertThat(at(ofCopy)).hasSize(40);
    assertThat(at(before)).hasSize(10);
  }
}

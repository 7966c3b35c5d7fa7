package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.Snapshot;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Others fill the file system to its last byte, at each of the moments at which RocksDB writes:
 * writes are refused, reads go on, and so do writes once there is space, in the same open store.
 * All moments are played side by side, as each waits for something most of its time.
 */
@Slow
@Timeout(90)
@Needs(Tool.MOUNTS)
final class FullDiskTest {
  private static final int MEBIBYTES = 24;
  private static final int SMALL_BYTES = 4_000;
  private static final int LARGE_BYTES = 40_000;
  private static final int FIRST = 15;

  /** What there is space for neither on the disk nor in memory. */
  private static final int MANY = 6_000;

  /** More than a store makes here. */
  private static final int MAX_FILES = 200;

  /** More than a test of one moment waits for anything. */
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(40);

  @TempDir Path parent;
  private int disks;

  /** What finds the disk full first. */
  private enum Moment {
    /** A write, in the middle of a log. */
    LOG(SMALL_BYTES),
    /** A write, the first in a new log, with nothing in memory: RocksDB does not get over this. */
    NEW_LOG(SMALL_BYTES) {
      @Override
      void prepare(Database database) throws RocksDBException {
        flush(database, true);
      }
    },
    /** What was in memory, on its way to a file. */
    FLUSH(SMALL_BYTES) {
      @Override
      void provoke(Database database) throws RocksDBException {
        flush(database, false);
      }
    },
    /** Large values on their way to files of their own. */
    LARGE_VALUES(LARGE_BYTES) {
      @Override
      void provoke(Database database) throws RocksDBException {
        flush(database, false);
      }
    },
    /** A file that is begun, where the file system has space, but has no more files. */
    NEW_FILE(SMALL_BYTES) {
      @Override
      void fill(Tmpfs disk, Path ballast) throws Exception {
        fillWithFiles(disk, ballast);
      }

      @Override
      void provoke(Database database) throws RocksDBException {
        assertThatThrownBy(() -> flush(database, false))
            .isInstanceOf(RocksDBException.class)
            .hasMessageContaining("No space left");
      }
    },
    /** A new list of the files that there are, once the file that is to be in it is written. */
    MANIFEST(SMALL_BYTES) {
      @Override
      void prepare(Database database) throws Exception {
        startManifestWithEachFile(database.nativeDatabase());
      }

      @Override
      void fill(Tmpfs disk, Path ballast) throws Exception {
        fillWithFiles(disk, ballast);
        Files.delete(ballast.resolve("0")); // for what is flushed
        Files.delete(ballast.resolve("1")); // for a new log
      }

      @Override
      void provoke(Database database) {
        assertThatThrownBy(() -> flush(database, true))
            .isInstanceOf(RocksDBException.class)
            .hasMessageContaining("No space left")
            .hasMessageContaining("MANIFEST");
      }
    },
    /** Files that are merged. */
    COMPACTION(SMALL_BYTES) {
      @Override
      void prepare(Database database) throws RocksDBException {
        flush(database, true);
      }

      @Override
      void provoke(Database database) {
        assertThatThrownBy(() -> compact(database))
            .isInstanceOf(RocksDBException.class)
            .hasMessageContaining("No space left on device");
      }
    };

    final int valueBytes;

    Moment(int valueBytes) {
      this.valueBytes = valueBytes;
    }

    /** While there is space. */
    void prepare(Database database) throws Exception {}

    /** Until there is none. */
    void fill(Tmpfs disk, Path ballast) throws Exception {
      byte[] block = new byte[4 << 10];
      try (OutputStream out = Files.newOutputStream(ballast)) {
        while (true) {
          out.write(block);
        }
      } catch (IOException full) {
        assertThat(full).hasMessageContaining("No space left");
      }
    }

    /** Once there is none. */
    void provoke(Database database) throws RocksDBException {}

    private static void fillWithFiles(Tmpfs disk, Path ballast) throws Exception {
      disk.limitFiles(MAX_FILES);
      Files.createDirectory(ballast);
      assertThatThrownBy(
              () -> {
                for (int number = 0; number <= MAX_FILES; number++) {
                  Files.createFile(ballast.resolve(String.valueOf(number)));
                }
              })
          .hasMessageContaining("No space left");
    }

    /** RocksDB lets this be set while it is open, but its Java classes have no method for it. */
    private static void startManifestWithEachFile(RocksDB db) throws Exception {
      Method set =
          RocksDB.class.getDeclaredMethod(
              "setDBOptions", long.class, String[].class, String[].class);
      set.setAccessible(true);
      set.invoke(
          null,
          db.getNativeHandle(),
          new String[] {"max_manifest_file_size", "max_manifest_space_amp_pct"},
          new String[] {"1", "0"});
    }

    private static void flush(Database database, boolean wait) throws RocksDBException {
      try (FlushOptions options = new FlushOptions().setWaitForFlush(wait)) {
        for (ColumnFamily family : ColumnFamily.values()) {
          database.nativeDatabase().flush(options, database.handle(family));
        }
      }
    }

    private static void compact(Database database) throws RocksDBException {
      try (CompactRangeOptions all =
          new CompactRangeOptions()
              .setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce)) {
        byte[] end = new byte[9];
        Arrays.fill(end, (byte) 0xff);
        database.compact(ColumnFamily.ROWS, new byte[0], end, all);
      }
    }
  }

  /** A store whose disk becomes full. */
  private static final class Run implements AutoCloseable {
    private final Moment moment;
    private final Durability durability;
    private final Tmpfs disk;
    private final Path ballast;
    private final Random random = new Random(1);
    private final long startNanos = System.nanoTime();
    private RocksDbEngine engine;
    private Rockpool pool;
    private PersistentMap<Integer, byte[]> map;
    private int stored;

    Run(Moment moment, Durability durability, Tmpfs disk) {
      this.moment = moment;
      this.durability = durability;
      this.disk = disk;
      this.ballast = disk.directory().resolve("ballast");
      open();
    }

    private void open() {
      engine =
          RocksDbEngine.open(
              disk.directory().resolve("store"),
              RocksDbOptions.builder()
                  .memoryBudgetBytes(8 << 20)
                  .durability(durability)
                  .syncPeriod(Duration.ofMillis(20))
                  .reclaimPeriod(Duration.ofDays(1))
                  .build());
      pool = Rockpool.at(o -> engine).open();
      map = pool.map("map", Integer.class, byte[].class);
    }

    private void put() {
      byte[] value = new byte[moment.valueBytes];
      random.nextBytes(value);
      ByteBuffer.wrap(value).putInt(stored);
      map.put(stored, value);
      stored++;
    }

    private boolean putIfAccepted() {
      try {
        put();
        return true;
      } catch (StoreFullException e) {
        assertThat(e)
            .hasMessageContaining("ake space")
            .hasMessageContaining(disk.directory().toString());
        return false;
      }
    }

    /** Returns once one waits for work in the background. */
    CompletableFuture<Void> startWriteThatWaits() throws RocksDBException {
      engine.internals().database().nativeDatabase().pauseBackgroundWork();
      CompletableFuture<Void> refused =
          CompletableFuture.runAsync(
              () -> {
                while (putIfAccepted()) {
                  assertThat(stored).as("writes that nothing stops").isLessThan(MANY);
                }
              });
      while (!engine.statistics().writesStopped()) {
        pause("writes to be stopped");
      }
      return refused;
    }

    void sayThatItIsFull() {
      engine
          .internals()
          .writePath()
          .gate()
          .setFull(new StoreFullException("Make space on " + disk.directory() + ".", null));
    }

    private void assertThere() {
      for (int number = 0; number < stored; number++) {
        byte[] value = map.get(number);
        assertThat(value).as("what was stored at " + number).isNotNull();
        assertThat(ByteBuffer.wrap(value).getInt()).isEqualTo(number);
      }
      assertThat(map.containsKey(stored)).as("what was refused").isFalse();
      assertThat(map.size()).isEqualTo(stored);
    }

    private void pause(String what) {
      assertThat(System.nanoTime() - startNanos)
          .as(this + " waits for " + what)
          .isLessThan(LIMIT_NANOS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }

    /** Fills the disk, and writes until that is noticed. */
    void fill() throws Exception {
      failInBackground();
      while (putIfAccepted()) {
        assertThat(stored).as("writes to a full disk").isLessThan(MANY);
      }
      assertThere();
      Thread.currentThread().interrupt();
      pool.flush(); // what was stored can be forced to the disk
      assertThat(Thread.interrupted()).isTrue();
      assertThat(putIfAccepted()).isFalse();
    }

    /** Fills the disk, and lets what the moment is about fail. */
    void failInBackground() throws Exception {
      for (int number = 0; number < FIRST; number++) {
        put();
      }
      Database database = engine.internals().database();
      moment.prepare(database);
      moment.fill(disk, ballast);
      moment.provoke(database);
    }

    void makeSpace() throws IOException {
      try (Stream<Path> files = Files.walk(ballast)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }

    /** Makes space, and writes until that succeeds. */
    void goOn() throws Exception {
      makeSpace();
      while (!putIfAccepted()) {
        assertThat(map.get(stored / 2)).isNotNull();
        pause("writes to go on");
      }
      for (int number = 0; number < FIRST; number++) {
        put();
      }
      assertThere();
      assertWhole();
    }

    private void assertWhole() {
      assertThat(pool.verify().toString()).as(this + ", verified").contains("nothing wrong");
    }

    void assertAllThereAgain() {
      pool.close();
      open();
      assertThat(engine.recoveryReport().clean()).isTrue();
      assertThere();
      assertWhole();
    }

    @Override
    public void close() {
      pool.close();
    }

    @Override
    public String toString() {
      return moment + " with " + durability;
    }
  }

  private interface Script {
    void play(Run run) throws Exception;
  }

  /** Lets a store go through {@code script} on a disk of its own. */
  private Future<?> play(
      ExecutorService threads, Moment moment, Durability durability, Script script) {
    Path mount = parent.resolve("disk-" + disks++);
    return threads.submit(
        () -> {
          try (Tmpfs disk = Tmpfs.mount(mount, MEBIBYTES);
              Run run = new Run(moment, durability, disk)) {
            script.play(run);
          }
          return moment;
        });
  }

  private static void goesOn(Run run) throws Exception {
    run.fill();
    run.goOn();
    run.assertAllThereAgain();
  }

  /** As long as a snapshot is open, nothing is opened again under it. */
  private static void waitsForSnapshots(Run run) throws Exception {
    try (Snapshot<Map<Integer, byte[]>> snapshot = run.map.snapshot()) {
      run.fill();
      run.makeSpace();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      while (System.nanoTime() < end) {
        assertThat(run.putIfAccepted()).isFalse();
        assertThat(snapshot.view()).isEmpty();
        assertThat(run.map.get(0)).isNotNull();
        run.pause("the snapshot to be closed");
      }
    }
    Files.createFile(run.ballast);
    run.goOn();
  }

  /**
   * A write that waits inside for work in the background is refused, and does not wait for ever.
   */
  private static void wakesWhoWaits(Run run) throws Exception {
    try (Snapshot<Map<Integer, byte[]>> snapshot = run.map.snapshot()) {
      CompletableFuture<Void> refused = run.startWriteThatWaits();
      run.sayThatItIsFull();
      refused.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
      assertThat(snapshot.view()).isEmpty();
    }
    Files.createFile(run.ballast);
    run.goOn();
  }

  /**
   * That writes wait in vain, after something had failed in the background, is noticed though none
   * of them has met an error.
   */
  private static void noticesThatAWriteWaits(Run run) throws Exception {
    try (Snapshot<Map<Integer, byte[]>> snapshot = run.map.snapshot()) {
      run.failInBackground();
      run.makeSpace();
      run.put();
      CompletableFuture<Void> refused = run.startWriteThatWaits();
      assertThat(run.engine.internals().writePath().gate().isFull()).isFalse();
      refused.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
      assertThatThrownBy(run::put)
          .isInstanceOf(StoreFullException.class)
          .hasRootCauseMessage(
              "The store at "
                  + run.disk.directory().resolve("store")
                  + " could not write what is in memory to files, so its disk was full at least for"
                  + " a moment.");
      assertThat(snapshot.view()).isEmpty();
    }
    Files.createFile(run.ballast);
    run.goOn();
  }

  private static void closesThoughAWriteWaits(Run run) throws Exception {
    Snapshot<Map<Integer, byte[]>> snapshot = run.map.snapshot();
    CompletableFuture<Void> refused = run.startWriteThatWaits();
    run.sayThatItIsFull();
    long start = System.nanoTime();
    run.pool.close();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(3));
    refused.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
    snapshot.close();
    run.open();
    run.assertThere();
  }

  @Test
  void writesGoOnByThemselvesWhicheverFoundTheDiskFull() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> runs = new ArrayList<>();
      Durability[] durabilities = Durability.values();
      for (Durability durability : durabilities) {
        runs.add(play(threads, Moment.LOG, durability, FullDiskTest::goesOn));
      }
      int next = 0;
      for (Moment moment : EnumSet.range(Moment.NEW_LOG, Moment.COMPACTION)) {
        Durability durability = durabilities[next++ % durabilities.length];
        runs.add(play(threads, moment, durability, FullDiskTest::goesOn));
      }
      runs.add(play(threads, Moment.LOG, Durability.PERIODIC, FullDiskTest::waitsForSnapshots));
      runs.add(play(threads, Moment.LOG, Durability.PERIODIC, FullDiskTest::wakesWhoWaits));
      runs.add(
          play(
              threads,
              Moment.COMPACTION,
              Durability.PERIODIC,
              FullDiskTest::noticesThatAWriteWaits));
      runs.add(play(threads, Moment.LOG, Durability.SYNC, FullDiskTest::closesThoughAWriteWaits));
      for (Future<?> run : runs) {
        run.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
      }
      FaultLog.write(
          FaultLog.Kind.DISK,
          "The disk is full to its last byte, and has room again",
          runs.size(),
          "",
          "writes are refused, reads work, and writes, too, in the same open store, once there is room",
          "nothing");
    } finally {
      threads.shutdownNow();
    }
  }
}

package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * To build a collection in an empty store, by one call; and what that comes to for RocksDB, which
 * gets the records as bytes, in no order, as the collection gets its elements.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public abstract class BulkRow {
  private static final String ROWS = "rows";
  private static final long SEED = 42;

  /** The most bytes of keys and values in one batch: as many as Rockpool puts into one. */
  private static final long BATCH_BYTES = 4 << 20;

  /** How many elements there are. */
  @Param("1000000")
  public int entries;

  /** Who builds. */
  @Param({"ROCKSDB", "ROCKPOOL"})
  public BulkPeer peer;

  private List<byte[][]> records = List.of();
  private @Nullable Path directory;
  private @Nullable Rockpool pool;
  private @Nullable NativeDatabase database;

  /** Makes the elements. */
  abstract void makeElements(int count);

  /** Puts all elements into an empty collection. */
  abstract void fill(Rockpool empty);

  /** Makes the elements, and for RocksDB the records that they become. */
  @Setup(Level.Trial)
  public void prepare() throws IOException {
    Files.createDirectories(PreparedStore.root());
    makeElements(entries);
    if (peer == BulkPeer.ROCKSDB) {
      Path built = Files.createTempDirectory(PreparedStore.root(), "records-");
      try (Rockpool empty = Rockpool.open(built)) {
        fill(empty);
      }
      records = records(built);
      PreparedStore.delete(built);
    }
  }

  private static List<byte[][]> records(Path store) {
    List<byte[][]> found = new ArrayList<>();
    try (NativeDatabase built = new NativeDatabase(store, ROWS);
        RocksIterator walk = built.db.newIterator(built.family)) {
      for (walk.seekToFirst(); walk.isValid(); walk.next()) {
        found.add(new byte[][] {walk.key(), walk.value()});
      }
    }
    Collections.shuffle(found, new Random(SEED));
    return found;
  }

  /** Opens an empty store. */
  @Setup(Level.Invocation)
  public void open() throws IOException {
    directory = Files.createTempDirectory(PreparedStore.root(), "bulk-");
    pool = Rockpool.open(directory);
    if (peer == BulkPeer.ROCKSDB) {
      pool.close();
      database = new NativeDatabase(directory, ROWS);
    }
  }

  /** Builds it. */
  @Benchmark
  public void build() throws RocksDBException {
    if (peer == BulkPeer.ROCKSDB) {
      putRecords(Objects.requireNonNull(database));
    } else {
      fill(Objects.requireNonNull(pool));
    }
  }

  private void putRecords(NativeDatabase target) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions writes = new WriteOptions()) {
      for (byte[][] record : records) {
        batch.put(target.family, record[0], record[1]);
        if (batch.getDataSize() >= BATCH_BYTES) {
          target.db.write(writes, batch);
          batch.clear();
        }
      }
      target.db.write(writes, batch);
    }
  }

  /** Closes the store and deletes it. */
  @TearDown(Level.Invocation)
  public void close() {
    if (peer == BulkPeer.ROCKSDB) {
      Objects.requireNonNull(database).close();
    } else {
      Objects.requireNonNull(pool).close();
    }
    PreparedStore.delete(Objects.requireNonNull(directory));
  }
}

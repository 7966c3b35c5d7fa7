package io.rockpool.benchmarks;

import io.rockpool.benchmarks.JCachePeer.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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

/** Gets and puts of entries that are all in memory, uniformly at random, through JSR-107. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class JCacheHot {
  /** Room for twice the entries: a tier that admits by likelihood has no reason to refuse any. */
  private static final int ROOM = 2;

  /** As many as are in memory in {@link HotGet}. */
  static final int ENTRIES = 100_000;

  /** How many entries there are. */
  @Param("" + ENTRIES)
  public int entries;

  /** Who takes part. */
  @Param({"ROCKPOOL", "DIRECT", "CAFFEINE", "EHCACHE", "INFINISPAN"})
  public JCachePeer peer;

  /** Whether statistics are on. */
  @Param({"false", "true"})
  public boolean statistics;

  private int[] indexes = {};
  private int at;
  private @Nullable Data data;
  private @Nullable Path directory;
  private @Nullable Keeper keeper;

  /** Puts every entry, and reads it. */
  @Setup
  public void open() throws IOException {
    Files.createDirectories(PreparedStore.root());
    directory = Files.createTempDirectory(PreparedStore.root(), "jcache-");
    data = new Data(entries, Row.VALUE_BYTES);
    indexes = Data.uniform(entries);
    keeper = peer.open(directory, ROOM * entries, statistics);
    for (int i = 0; i < entries; i++) {
      keeper.put(data.keyAt(i), data.valueAt(i));
    }
    for (int i = 0; i < entries; i++) {
      if (!data.valueAt(i).equals(keeper.get(data.keyAt(i)))) {
        throw new IllegalStateException(peer + " has lost entry " + i + ".");
      }
    }
  }

  /** Closes the cache and deletes its files. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(keeper).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }

  private int next() {
    return indexes[at++ & Data.SEQUENCE - 1];
  }

  /** One get. */
  @Benchmark
  public @Nullable Object get() {
    return keeper.get(data.keyAt(next()));
  }

  /** One put in the place of what is there. */
  @Benchmark
  public void put() {
    int index = next();
    keeper.put(data.keyAt(index), data.valueAt(index + 1));
  }
}

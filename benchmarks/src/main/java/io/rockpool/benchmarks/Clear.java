package io.rockpool.benchmarks;

import io.rockpool.cache.PersistentCache;
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

/** To empty a cache, each time on a fresh copy of the same store. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3)
@Measurement(iterations = 7)
public class Clear {
  /** How many entries there are. */
  @Param("1000000")
  public int entries;

  private @Nullable Path store;
  private @Nullable RockpoolContestant contestant;

  /** Opens a copy and reads some of it into memory. */
  @Setup(Level.Invocation)
  public void open() {
    store = PreparedStore.copy(entries, Row.VALUE_BYTES);
    int hot = entries / 10;
    contestant = new RockpoolContestant(store, new Data(hot, Row.VALUE_BYTES), hot);
    for (int i = 0; i < hot; i++) {
      contestant.get(i);
    }
  }

  /** The time until the cache is empty for every reader. */
  @Benchmark
  public void clear() {
    Objects.requireNonNull(contestant).cache().clear();
  }

  /** Looks whether it is empty, and deletes the copy. */
  @TearDown(Level.Invocation)
  public void close() {
    RockpoolContestant opened = Objects.requireNonNull(contestant);
    PersistentCache<String, String> cache = opened.cache();
    if (cache.iterator().hasNext() || cache.get(Data.key(0)) != null) {
      throw new IllegalStateException("The cache is not empty after it was cleared.");
    }
    opened.close();
    PreparedStore.delete(Objects.requireNonNull(store));
  }
}

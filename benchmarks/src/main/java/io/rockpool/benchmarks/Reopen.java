package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
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

/**
 * To open a store of many small entries that was closed before, in a new process, until the first
 * value is there.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(3)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class Reopen {
  private static final int SMALL_VALUE_BYTES = 10;

  /** How many entries there are. */
  @Param("10000000")
  public int entries;

  private @Nullable Rockpool pool;

  /** Fills the store, unless a process before has. */
  @Setup
  public void prepare() {
    PreparedStore.prepare(entries, SMALL_VALUE_BYTES);
  }

  /** The time from nothing to a value. */
  @Benchmark
  public String openAndGet() {
    pool = Rockpool.open(PreparedStore.prepare(entries, SMALL_VALUE_BYTES));
    return Objects.requireNonNull(RockpoolContestant.open(pool, 0).get(Data.key(entries / 2)));
  }

  /** Closes the store. */
  @TearDown(Level.Iteration)
  public void close() {
    Objects.requireNonNull(pool).close();
  }
}

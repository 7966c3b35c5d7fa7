package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What the rows have in common: a contestant on a fresh copy of the same store, and keys that are
 * chosen in advance.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 4, time = 1)
public abstract class Row {
  /** The length of a value, in characters of one byte. */
  static final int VALUE_BYTES = 100;

  /** Reads for each entry after which the share of hits hardly grows any more. */
  private static final int READS_PER_ENTRY = 3;

  /** 2^32 divided by the golden ratio: multiples of it spread evenly. */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  /** How many entries there are. */
  @Param("1000000")
  public int entries;

  private int[] indexes = {};
  private @Nullable Path store;
  private @Nullable Contestant contestant;

  /**
   * Opens the contestant, which is asked for these indexes one after the other, and from the
   * beginning again.
   */
  final void open(Peer peer, Data data, int hotEntries, int[] sequence) {
    indexes = sequence;
    store = PreparedStore.copy(entries, VALUE_BYTES);
    contestant = peer.open(store, data, hotEntries);
  }

  final Contestant contestant() {
    return Objects.requireNonNull(contestant);
  }

  /**
   * Reads every key once, so that what fits in memory is there and tiers are as full as they get.
   */
  final void readAll(int keys) {
    for (int i = 0; i < keys; i++) {
      contestant().get(i);
    }
  }

  /** Reads the end of a sequence, so that the entries that are read most are in memory. */
  final void readBackwards(int[] sequence) {
    for (int i = 0; i < READS_PER_ENTRY * entries; i++) {
      contestant().get(sequence[sequence.length - 1 - i]);
    }
  }

  /** Closes the contestant and deletes its store. */
  @TearDown(Level.Trial)
  public void close() {
    contestant().close();
    PreparedStore.delete(Objects.requireNonNull(store));
  }

  /** The next index a thread is to use. */
  final int next(Cursor cursor) {
    return indexes[cursor.at++ & Data.SEQUENCE - 1];
  }

  /**
   * Returns whether the next operation of a thread is a write, {@code percent} times of 100. Writes
   * are spread evenly, and hit other keys each time the sequence begins again.
   */
  static boolean nextWrites(Cursor cursor, int percent) {
    return ((Integer.toUnsignedLong(cursor.at * GOLDEN_RATIO) * 100) >>> Integer.SIZE) < percent;
  }

  /** Where a thread is in the sequence; threads begin at equal distances. */
  @State(Scope.Thread)
  public static class Cursor {
    private int at;

    /** Begins. */
    @Setup
    public void begin(ThreadParams threads) {
      at = Data.SEQUENCE / threads.getThreadCount() * threads.getThreadIndex();
    }
  }
}

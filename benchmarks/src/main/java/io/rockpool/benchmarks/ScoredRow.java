package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.StructureOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What the rows about scored sets have in common: a set of elements with random scores. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class ScoredRow {
  private static final long SEED = 42;
  private static final int LOAD_BATCH = 10_000;
  private static final String NAME = "scores";
  private static final TypeRef<Long> ELEMENTS = TypeRef.of(Long.class);

  /** How many elements there are. */
  @Param("1000000")
  public int entries;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private @Nullable Path directory;
  private @Nullable Rockpool pool;
  private @Nullable PersistentScoredSet<Long> set;

  /** Opens a set that is filled. */
  final void open(boolean ranked) {
    StructureOptions options = StructureOptions.defaults().ranked(ranked);
    directory =
        PreparedStore.copy(
            "scored-" + entries + (ranked ? "-ranked" : ""), store -> fill(store, options));
    pool = Rockpool.open(directory);
    set = pool.scoredSet(NAME, ELEMENTS, o -> options);
  }

  private void fill(Path store, StructureOptions options) {
    try (Rockpool empty = Rockpool.open(store)) {
      PersistentScoredSet<Long> filled = empty.scoredSet(NAME, ELEMENTS, o -> options);
      for (int from = 0; from < entries; from += LOAD_BATCH) {
        Map<Long, Double> batch = new LinkedHashMap<>();
        for (long i = from; i < Math.min(from + LOAD_BATCH, entries); i++) {
          batch.put(i, nextScore());
        }
        filled.addScores(batch);
      }
    }
    PreparedStore.compact(store);
  }

  final PersistentScoredSet<Long> set() {
    return Objects.requireNonNull(set);
  }

  /** A score, none more likely than another. */
  final double nextScore() {
    return random.nextDouble();
  }

  /** One of the elements. */
  final long nextElement() {
    return random.nextInt(entries);
  }

  /** Closes the store and deletes it. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(pool).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }
}

package io.rockpool.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
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

/**
 * What the rows that hold Rockpool's collections against other libraries' have in common: the same
 * elements in a fresh copy of each one's files.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public abstract class PeerRow {
  private static final int LOAD_BATCH = 10_000;

  /** How many elements there are. */
  @Param("1000000")
  public int entries;

  private @Nullable Path directory;
  private @Nullable PeerCollections collections;

  /**
   * Opens a peer's collections.
   *
   * @param what the name of what {@code filler} fills, unless it is there
   */
  final PeerCollections open(CollectionPeer peer, String what, Consumer<PeerCollections> filler) {
    directory =
        PreparedStore.copy(what + "-" + peer + "-" + entries, store -> fill(peer, store, filler));
    collections = peer.open(directory);
    return collections;
  }

  private static void fill(CollectionPeer peer, Path store, Consumer<PeerCollections> filler) {
    try {
      Files.createDirectories(store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (PeerCollections empty = peer.open(store)) {
      filler.accept(empty);
    }
    if (peer == CollectionPeer.ROCKPOOL) {
      PreparedStore.compact(store);
    }
  }

  /**
   * Shows the number of each element to {@code collect}, and calls {@code add} whenever those make
   * a batch.
   */
  final void inBatches(IntConsumer collect, Runnable add) {
    for (int i = 0; i < entries; i++) {
      collect.accept(i);
      if ((i + 1) % LOAD_BATCH == 0 || i + 1 == entries) {
        add.run();
      }
    }
  }

  /** Closes the collections and deletes them. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(collections).close();
    PreparedStore.delete(Objects.requireNonNull(directory));
  }
}

package io.rockpool.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A map of strings of 16 characters to arrays of 100 bytes, used at random. */
public class PeerMap extends PeerRow {
  /** Who takes part. */
  @Param({"ROCKPOOL", "MAPDB", "MAPDB_COMMIT", "MVSTORE", "MVSTORE_COMMIT", "REDIS"})
  public CollectionPeer peer;

  private final byte[][] values = values();
  private int[] indexes = {};
  private int at;
  private PeerCollections.@Nullable Entries map;

  private static byte[][] values() {
    Data data = new Data(Data.DISTINCT_VALUES, Row.VALUE_BYTES);
    return IntStream.range(0, Data.DISTINCT_VALUES)
        .mapToObj(i -> data.valueAt(i).getBytes(US_ASCII))
        .toArray(byte[][]::new);
  }

  /** Fills the map. */
  @Setup
  public void open() {
    indexes = Data.uniform(entries);
    map = open(peer, "map", this::fill).entries();
  }

  private void fill(PeerCollections empty) {
    PeerCollections.Entries filled = empty.entries();
    Map<String, byte[]> batch = new HashMap<>();
    inBatches(
        i -> batch.put(Data.key(i), values[i % values.length]),
        () -> {
          filled.putAll(batch);
          batch.clear();
        });
  }

  private int next() {
    return indexes[at++ & Data.SEQUENCE - 1];
  }

  /** Gets the value of a key that is there. */
  @Benchmark
  public byte[] get() {
    return Objects.requireNonNull(Objects.requireNonNull(map).get(Data.key(next())));
  }

  /** Puts another value for a key that is there. */
  @Benchmark
  public byte @Nullable [] put() {
    return Objects.requireNonNull(map).put(Data.key(next()), values[at % values.length]);
  }
}

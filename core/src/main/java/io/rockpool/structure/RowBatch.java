package io.rockpool.structure;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongBiFunction;

/** Changes of many rows of a table, collected by row. */
final class RowBatch<H, S, V> {
  private final TableCodec<H, S, V> codec;

  /** By encoded hash key, because equal keys may be different objects, such as byte arrays. */
  private final Map<byte[], Part<H, S, V>> rows = new TreeMap<>(Arrays::compareUnsigned);

  private record Part<H, S, V>(H hashKey, Mutations<S, V> mutations) {}

  RowBatch(TableCodec<H, S, V> codec) {
    this.codec = codec;
  }

  /** The changes of a row, to add to. */
  Mutations<S, V> row(H hashKey) {
    return rows.computeIfAbsent(
            codec.hashKey(hashKey), encoded -> new Part<>(hashKey, new Mutations<>()))
        .mutations();
  }

  /** Applies the changes of each row; returns the sum of the results. */
  long forEach(ToLongBiFunction<H, Mutations<S, V>> change) {
    long sum = 0;
    for (Part<H, S, V> part : rows.values()) {
      sum += change.applyAsLong(part.hashKey(), part.mutations());
    }
    return sum;
  }
}

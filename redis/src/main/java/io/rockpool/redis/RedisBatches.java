package io.rockpool.redis;

import io.rockpool.engine.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Divides bulk writes into parts that a server and a connection can take. */
final class RedisBatches {
  private static final int MAX_ELEMENTS = 1_000;

  private RedisBatches() {}

  /** The elements in their order, in parts of limited count and bytes; one empty part if none. */
  static <T> List<List<T>> of(List<T> elements, ToIntFunction<T> bytesOf) {
    List<List<T>> batches = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < elements.size(); i++) {
      bytes += bytesOf.applyAsInt(elements.get(i));
      int next = i + 1;
      if (next - from == MAX_ELEMENTS || bytes >= Limits.MAX_BATCH_BYTES) {
        batches.add(elements.subList(from, next));
        from = next;
        bytes = 0;
      }
    }
    if (from < elements.size() || elements.isEmpty()) {
      batches.add(elements.subList(from, elements.size()));
    }
    return batches;
  }
}

package io.rockpool.benchmarks;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One who keeps {@link Data}. Keys and values are named by their index, so that each gets them in
 * the form it wants.
 */
interface Contestant extends AutoCloseable {
  /** The value at an index as an object, or null. */
  @Nullable Object get(int index);

  void put(int index);

  default void put(int index, Duration ttl) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no expiry");
  }

  /** Says which batches {@link #getAll} and {@link #putAll} will name. */
  default void prepare(List<int[]> batches) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no batches");
  }

  /** The values of a batch, as objects. */
  default Object getAll(int batch) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no batches");
  }

  default void putAll(int batch) {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no batches");
  }

  @Override
  void close();
}

package io.rockpool.internal.engine;

import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Lends heap to a {@link HeapUser}. */
@FunctionalInterface
public interface HeapLender {
  /**
   * Lends a first part, and sets the user's bound to it.
   *
   * @param uses counts what the user saved, by which the heap is divided: each read that it
   *     answered and each record that it was given
   * @return accepts the bytes of each put before it, on the thread that puts. It may raise the
   *     bound, if there is free heap
   */
  IntConsumer lend(HeapUser user, LongSupplier uses);
}

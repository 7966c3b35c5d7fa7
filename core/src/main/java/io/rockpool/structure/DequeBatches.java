package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Limits;
import io.rockpool.error.UndecodableValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Adds and polls many elements of a deque, with one transaction per batch. */
final class DequeBatches<E> {
  /** Estimated heap overhead of an element. It bounds the number of tiny elements in a batch. */
  private static final int ELEMENT_BYTES = 64;

  private final DequeStore<E> store;
  private final ElementCodec<E> codec;

  DequeBatches(DequeStore<E> store) {
    this.store = store;
    this.codec = store.codec();
  }

  /**
   * Adds all elements at the end of the deque.
   *
   * @return whether there was at least one element
   * @throws IllegalStateException the exception of {@code full}, if the deque has no room for the
   *     next element; earlier elements stay in the deque
   */
  boolean addAll(
      Iterator<? extends E> all, long expiryMillis, Supplier<IllegalStateException> full) {
    List<byte[]> batch = new ArrayList<>();
    long bytes = 0;
    boolean any = false;
    while (all.hasNext()) {
      byte[] value = codec.encode(all.next());
      batch.add(value);
      any = true;
      bytes += value.length + ELEMENT_BYTES;
      if (bytes >= Limits.MAX_BATCH_BYTES) {
        write(batch, expiryMillis, full);
        batch.clear();
        bytes = 0;
      }
    }
    write(batch, expiryMillis, full);
    return any;
  }

  private void write(List<byte[]> batch, long expiryMillis, Supplier<IllegalStateException> full) {
    List<byte[]> left = List.copyOf(batch);
    while (!left.isEmpty()) {
      int written = store.offer(LAST, left, expiryMillis);
      if (written == 0) {
        throw full.get();
      }
      left = left.subList(written, left.size());
    }
  }

  /** Polls up to {@code count} elements at an end. */
  List<E> poll(DequeEnd end, int count) {
    List<E> all = new ArrayList<>();
    while (all.size() < count) {
      List<DequeStore.Taken<E>> batch = next(end, count - all.size(), all.isEmpty());
      if (batch.isEmpty()) {
        break;
      }
      batch.forEach(taken -> all.add(taken.element()));
    }
    return all;
  }

  /**
   * Moves up to {@code count} elements from the front into a collection, and returns how many it
   * moved. If the collection throws, the elements that it did not accept return to the front of the
   * deque.
   */
  int drainTo(Collection<? super E> target, int count) {
    int moved = 0;
    while (moved < count) {
      List<DequeStore.Taken<E>> batch = next(FIRST, count - moved, moved == 0);
      if (batch.isEmpty()) {
        break;
      }
      moveInto(target, batch);
      moved += batch.size();
    }
    return moved;
  }

  private void moveInto(Collection<? super E> target, List<DequeStore.Taken<E>> batch) {
    int moved = 0;
    try {
      for (DequeStore.Taken<E> taken : batch) {
        target.add(taken.element());
        moved++;
      }
    } finally {
      if (moved < batch.size()) {
        store.putBack(FIRST, batch.subList(moved, batch.size()));
      }
    }
  }

  /**
   * The next batch. If its first element cannot be decoded, throws or returns an empty batch, as
   * {@code throwing} says.
   */
  private List<DequeStore.Taken<E>> next(DequeEnd end, int count, boolean throwing) {
    try {
      return store.poll(end, count);
    } catch (UndecodableValueException e) {
      if (throwing) {
        throw e;
      }
      return List.of();
    }
  }
}

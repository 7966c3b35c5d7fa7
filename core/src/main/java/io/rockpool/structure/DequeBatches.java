package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Limits;
import io.rockpool.error.UndecodableValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Puts and takes many elements of a deque, a transaction for each batch of them. */
final class DequeBatches<E> {
  /** What an element takes in memory besides its bytes: bounds a batch of tiny ones. */
  private static final int ELEMENT_BYTES = 64;

  private final DequeStore<E> store;
  private final ElementCodec<E> codec;

  DequeBatches(DequeStore<E> store) {
    this.store = store;
    this.codec = store.codec();
  }

  /**
   * Puts all elements behind the last.
   *
   * @throws IllegalStateException as made by {@code full} once there is no room for the next
   */
  boolean addAll(
      Collection<? extends E> all, long expiryMillis, Supplier<IllegalStateException> full) {
    List<byte[]> batch = new ArrayList<>();
    long bytes = 0;
    boolean any = false;
    for (E element : all) {
      byte[] value = codec.encode(element);
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

  /** Takes up to {@code count} elements at an end. */
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
   * Moves up to {@code count} elements from the front into a collection, and returns how many. What
   * the collection refuses is put back.
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

  /** The next batch; without an element if the first cannot be decoded, unless that is to throw. */
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

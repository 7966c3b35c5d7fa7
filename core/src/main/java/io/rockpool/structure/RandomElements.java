package io.rockpool.structure;

import io.rockpool.engine.RowRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Random elements of a set, with or without their removal.
 *
 * <p>A few of many elements are picked one by one by a {@link Sampler}. Otherwise one walk over all
 * elements keeps a uniformly random sample (reservoir sampling); so does a large set in which the
 * picks find the same elements again and again.
 */
final class RandomElements<E> {
  /** A sample of a smaller share of the elements is picked, of a larger one walked. */
  static final int WALK_SHARE = Sampler.MAX_STEPS;

  /** Picks for each wanted element before a walk replaces them. */
  private static final int PICKS_PER_ELEMENT = 4;

  private final EntryReads<E, ?> reads;
  private final EntryWrites<E, ?> writes;

  RandomElements(EntryReads<E, ?> reads, EntryWrites<E, ?> writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /** One element, or null if there is none. */
  @Nullable E pick() {
    byte[] key = reads.randomKey();
    return key == null ? null : decode(key);
  }

  /** Up to {@code count} different elements, in random order. */
  List<E> pick(int count) {
    List<E> picked = new ArrayList<>();
    keys(checked(count)).forEach(key -> picked.add(decode(key)));
    return picked;
  }

  /** {@code count} elements, each picked among all; empty only if the set is. */
  List<E> pickWithRepeats(int count) {
    List<E> picked = new ArrayList<>();
    for (int i = checked(count); i > 0; i--) {
      E element = pick();
      if (element == null) {
        break;
      }
      picked.add(element);
    }
    return picked;
  }

  /** Removes and returns one element; null if there is none. */
  @Nullable E remove() {
    while (true) {
      byte[] key = reads.randomKey();
      if (key == null) {
        return null;
      }
      E element = decode(key); // first: an element that cannot be decoded stays
      if (writes.removeRecord(key) != null) {
        return element;
      }
    }
  }

  /** Removes and returns up to {@code count} elements. */
  List<E> remove(int count) {
    List<E> removed = new ArrayList<>();
    int left = checked(count);
    while (left > 0) {
      List<byte[]> keys = keys(left);
      removed.addAll(writes.removeRecords(keys));
      left = keys.isEmpty() ? 0 : count - removed.size();
    }
    return removed;
  }

  private E decode(byte[] key) {
    return reads.codec().decodeKey(key);
  }

  static int checked(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count is " + count + "; give 0 or more.");
    }
    return count;
  }

  /** Up to {@code count} different keys. */
  private List<byte[]> keys(int count) {
    if (count == 1) {
      byte[] key = reads.randomKey();
      return key == null ? List.of() : List.of(key);
    }
    return reads.count() / WALK_SHARE > count ? picked(count) : walked(count);
  }

  private List<byte[]> picked(int count) {
    Set<ByteBuffer> picked = new LinkedHashSet<>();
    for (long i = (long) count * PICKS_PER_ELEMENT; i > 0 && picked.size() < count; i--) {
      byte[] key = reads.randomKey();
      if (key != null) {
        picked.add(ByteBuffer.wrap(key));
      }
    }
    return picked.size() < count
        ? walked(count)
        : new ArrayList<>(picked.stream().map(ByteBuffer::array).toList());
  }

  private List<byte[]> walked(int count) {
    return sample(reads.walk(false, RowRecord::sortKey, record -> {}), count);
  }

  /**
   * A random sample in random order. It is a reservoir: after n elements, each of them is in it
   * with the same probability.
   */
  static <T> List<T> sample(Iterator<T> all, int count) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    List<T> reservoir = new ArrayList<>();
    for (long seen = 1; count > 0 && all.hasNext(); seen++) {
      T element = all.next();
      if (reservoir.size() < count) {
        reservoir.add(element);
      } else {
        long place = random.nextLong(seen);
        if (place < count) {
          reservoir.set((int) place, element);
        }
      }
    }
    Collections.shuffle(reservoir, random);
    return reservoir;
  }
}

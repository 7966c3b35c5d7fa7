package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.SpaceView;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Picks a random element at a bounded cost. It chooses a row with a probability proportional to its
 * size. In a row of few elements, it picks a random position. In a larger row, it scans a random
 * number of elements from a random key between the first and the last key. If no element follows
 * that key, it scans from the first element. So in a large row, elements after wide gaps between
 * keys are more likely, but every element is possible.
 */
final class Sampler {
  /** Maximum number of scanned records. That many take a fraction of a millisecond. */
  static final int MAX_STEPS = 256;

  private static final byte[] NO_VALUE = {};

  private final SpaceView space;
  private final List<byte[]> rows;
  private final RandomGenerator random;

  Sampler(SpaceView space, List<byte[]> rows, RandomGenerator random) {
    this.space = space;
    this.rows = rows;
    this.random = random;
  }

  /** The record of an element without its value, or null if no element was found. */
  @Nullable RowRecord pick() {
    long[] counts = rows.stream().mapToLong(space::count).toArray();
    long all = Arrays.stream(counts).sum();
    if (all == 0) {
      return null;
    }
    long place = random.nextLong(all);
    int row = 0;
    while (place >= counts[row]) {
      place -= counts[row++];
    }
    for (int i = 0; i < rows.size(); i++) {
      int next = (row + i) % rows.size();
      RowRecord picked = pick(rows.get(next), counts[next]);
      if (picked != null) {
        return picked;
      }
    }
    return null;
  }

  private @Nullable RowRecord pick(byte[] row, long count) {
    if (count == 0) {
      return null;
    }
    int steps = random.nextInt((int) Math.min(count, MAX_STEPS));
    SortRange behind =
        count <= MAX_STEPS ? SortRange.all() : SortRange.all().from(randomKey(row), true);
    RowRecord picked = walk(row, behind, steps);
    return picked == null ? walk(row, SortRange.all(), steps) : picked;
  }

  /** The record after {@code steps} others of a range, or its last one. */
  private @Nullable RowRecord walk(byte[] row, SortRange range, int steps) {
    RowRecord last = null;
    try (Cursor cursor = space.scan(row, range, Direction.FORWARD, steps + 1)) {
      while (cursor.next()) {
        last = new RowRecord(row, cursor.sortKey(), NO_VALUE, cursor.expiryMillis());
      }
    }
    return last;
  }

  /** The common prefix of the first and last key, and random bytes between them. */
  private byte[] randomKey(byte[] row) {
    byte[] first = edge(row, Direction.FORWARD);
    byte[] last = edge(row, Direction.BACKWARD);
    int alike = Math.max(0, Arrays.mismatch(first, last));
    byte[] key = Arrays.copyOf(last, alike + Long.BYTES);
    for (int i = alike; i < key.length; i++) {
      key[i] = (byte) random.nextInt();
    }
    if (alike < last.length) {
      int low = alike < first.length ? first[alike] & 0xFF : 0;
      key[alike] = (byte) random.nextInt(low, (last[alike] & 0xFF) + 1);
    }
    return key;
  }

  private byte[] edge(byte[] row, Direction direction) {
    try (Cursor cursor = space.scan(row, SortRange.all(), direction, 1)) {
      return cursor.next() ? cursor.sortKey() : NO_VALUE;
    }
  }
}

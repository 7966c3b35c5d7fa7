package io.rockpool.structure;

import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.BucketFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rows that a structure's elements lie in: several, unless they have an order. */
final class Buckets {
  /** How many writers can be at work in one structure; more rows make {@code size()} dearer. */
  private static final int SPREAD = 16;

  private static final String ATTRIBUTE = "buckets";

  /** What the descriptor of a structure says whose elements are spread. */
  static final Map<String, String> SPREAD_SHAPE = Map.of(ATTRIBUTE, String.valueOf(SPREAD));

  /** What the descriptor of a structure says whose elements lie in one row. */
  static final Map<String, String> ONE_ROW_SHAPE = Map.of();

  private final List<byte[]> rows;

  private final boolean whole;

  private Buckets(List<byte[]> rows, boolean whole) {
    this.rows = rows;
    this.whole = whole;
  }

  /**
   * The rows that a descriptor speaks of; their number was fixed when it was written.
   *
   * @throws CorruptStoreException if it is no number of buckets
   */
  static Buckets of(Map<String, String> shape) {
    int count = count(shape.getOrDefault(ATTRIBUTE, "1"));
    return new Buckets(IntStream.range(0, count).mapToObj(BucketFormat::hashKey).toList(), true);
  }

  private static int count(String text) {
    try {
      int count = Integer.parseInt(text);
      if (Integer.bitCount(count) == 1 && count > 0 && count <= BucketFormat.MAX_BUCKETS) {
        return count;
      }
    } catch (NumberFormatException e) {
      // As any other number that it cannot be.
    }
    throw new CorruptStoreException(
        "a descriptor says that its elements lie in \""
            + text
            + "\" buckets; expected a power of two up to "
            + BucketFormat.MAX_BUCKETS,
        null);
  }

  /** One of the rows of a table. */
  static Buckets ofRow(byte[] hashKey) {
    return new Buckets(List.of(hashKey), false);
  }

  /** Whether these are all rows of the structure. */
  boolean isWhole() {
    return whole;
  }

  /** Every row. */
  List<byte[]> rows() {
    return rows;
  }

  /** How many counted records lie in all rows. One read for each. */
  long count(SpaceView space) {
    return rows.stream().mapToLong(space::count).sum();
  }

  /** The number of an element's row, from 0 on. */
  int bucketOf(byte[] key) {
    return rows.size() == 1 ? 0 : BucketFormat.bucketOf(key, rows.size());
  }

  /** The row of an element. */
  byte[] rowOf(byte[] key) {
    return rows.get(bucketOf(key));
  }
}

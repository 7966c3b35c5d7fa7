package io.rockpool.structure;

import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.BucketFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rows of a structure's elements: several for unordered structures, one for ordered ones. */
final class Buckets {
  /** The number of rows, and so of concurrent writers. More rows make {@code size()} slower. */
  private static final int SPREAD = 16;

  private static final String ATTRIBUTE = "buckets";

  /** The descriptor attributes of a structure with several rows. */
  static final Map<String, String> SPREAD_SHAPE = Map.of(ATTRIBUTE, String.valueOf(SPREAD));

  /** The descriptor attributes of a structure with one row. */
  static final Map<String, String> ONE_ROW_SHAPE = Map.of();

  private static final Buckets SPREAD_ROWS = of(SPREAD);

  private final List<byte[]> rows;

  private final boolean whole;

  private Buckets(List<byte[]> rows, boolean whole) {
    this.rows = rows;
    this.whole = whole;
  }

  /**
   * The rows of a structure, by its descriptor. Their number is fixed when the structure is
   * created.
   *
   * @throws CorruptStoreException if the number is invalid
   */
  static Buckets of(Map<String, String> shape) {
    int count = count(shape.getOrDefault(ATTRIBUTE, "1"));
    return count == SPREAD ? SPREAD_ROWS : of(count);
  }

  private static Buckets of(int count) {
    return new Buckets(IntStream.range(0, count).mapToObj(BucketFormat::hashKey).toList(), true);
  }

  private static int count(String text) {
    try {
      int count = Integer.parseInt(text);
      if (Integer.bitCount(count) == 1 && count > 0 && count <= BucketFormat.MAX_BUCKETS) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Report it below, like any other invalid number.
    }
    throw new CorruptStoreException(
        "a descriptor says that its elements lie in \""
            + text
            + "\" buckets; expected a power of two up to "
            + BucketFormat.MAX_BUCKETS,
        null);
  }

  /** One row of a table. */
  static Buckets ofRow(byte[] hashKey) {
    return new Buckets(List.of(hashKey), false);
  }

  /** Whether these are all rows of the structure. */
  boolean isWhole() {
    return whole;
  }

  List<byte[]> rows() {
    return rows;
  }

  /** The number of counted records in all rows. One read per row. */
  long count(SpaceView space) {
    return rows.stream().mapToLong(space::count).sum();
  }

  /** The index of an element's row. */
  int bucketOf(byte[] key) {
    return rows.size() == 1 ? 0 : BucketFormat.bucketOf(key, rows.size());
  }

  /** The row of an element. */
  byte[] rowOf(byte[] key) {
    return rows.get(bucketOf(key));
  }
}

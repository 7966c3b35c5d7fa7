package io.rockpool.internal.format;

import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.SortRange;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import java.util.Arrays;
import java.util.Locale;

/**
 * The records of a scored set, all in one row. The first byte of a sort key is the kind; nodes of
 * the rank index are in {@link RankNodeFormat}.
 *
 * <pre>
 * 00                       earliest   a time (8) at or before all expiries; only if a member expires
 * 01 element               member     score (8), then the expiry (8) if it has one; counted
 * 02 score (8) element     place      nothing, or the expiry (8): the members in order
 * 03 expiry (8) element    due        nothing: the members that expire, in the order in which they do
 * </pre>
 *
 * <p>A score is the bits of the double, all flipped if it is negative, else with only the sign
 * flipped, so that byte order is numeric order. Zero has no sign, and NaN is not allowed. The
 * expiry is in the records' values and not in the engine's expiry field, because all records of a
 * member must be removed together.
 */
public final class ScoredSetFormat {
  /** Room beside an element in a sort key: one of a node needs 11 bytes for a whole place. */
  private static final int MAX_OVERHEAD_BYTES = 16;

  /** The first byte of the sort key of the earliest expiry. */
  public static final byte EARLIEST = 0;

  /** The first byte of a member's sort key. */
  public static final byte MEMBER = 1;

  /** The first byte of a place's sort key. */
  public static final byte PLACE = 2;

  /** The first byte of a due record's sort key. */
  public static final byte DUE = 3;

  /** The range of the members, sorted by element. */
  public static final SortRange MEMBERS = SortRange.prefix(new byte[] {MEMBER});

  /** The range of the places, sorted by score and element. */
  public static final SortRange PLACES = SortRange.prefix(new byte[] {PLACE});

  /** The range of the due records, sorted by expiry. */
  private static final SortRange DUES = SortRange.prefix(new byte[] {DUE});

  private static final int NUMBER_END = 1 + Long.BYTES;

  private ScoredSetFormat() {}

  /** The maximum length of an encoded element on an engine with these limits. */
  public static int maxElementBytes(EngineLimits limits) {
    return limits.maxSortKeyBytes() - MAX_OVERHEAD_BYTES;
  }

  /** The sort key of the earliest expiry. */
  public static byte[] earliestKey() {
    return new byte[] {EARLIEST};
  }

  /** The sort key of a member. */
  public static byte[] memberKey(byte[] element) {
    byte[] key = new byte[1 + element.length];
    key[0] = MEMBER;
    System.arraycopy(element, 0, key, 1, element.length);
    return key;
  }

  /** The element in a member's sort key. */
  public static byte[] memberElement(byte[] memberKey) {
    return Arrays.copyOfRange(memberKey, 1, memberKey.length);
  }

  /** The sort key of a place. */
  public static byte[] placeKey(double score, byte[] element) {
    return numbered(PLACE, sortable(score), element);
  }

  /** The lowest possible sort key of a place with that score, above those of all lower scores. */
  public static byte[] placesFrom(double score) {
    return numbered(PLACE, sortable(score), new byte[0]);
  }

  /** The lowest sort key above the places of that score. */
  public static byte[] placesBehind(double score) {
    return behind(placesFrom(score));
  }

  /** The sort key of a due record. */
  public static byte[] dueKey(long expiryMillis, byte[] element) {
    return numbered(DUE, expiryMillis, element);
  }

  /** The due records of the members that expire from one time to another, both inclusive. */
  public static SortRange due(long fromMillis, long nowMillis) {
    return DUES.from(dueKey(fromMillis, new byte[0]), true)
        .to(behind(dueKey(nowMillis, new byte[0])), false);
  }

  /** The due records of the members that expire after a time. */
  public static SortRange dueAfter(long millis) {
    return DUES.from(behind(dueKey(millis, new byte[0])), true);
  }

  /** The element in the sort key of a place or a due record. */
  public static byte[] element(byte[] key) {
    checkNumbered(key);
    return Arrays.copyOfRange(key, NUMBER_END, key.length);
  }

  /** The score in a place's sort key. */
  public static double score(byte[] placeKey) {
    checkNumbered(placeKey);
    return fromSortable(BigEndian.getLong(placeKey, 1));
  }

  /** The expiry in a due record's sort key. */
  public static long expiryMillis(byte[] dueKey) {
    checkNumbered(dueKey);
    return BigEndian.getLong(dueKey, 1);
  }

  /** The value of a member. */
  public static byte[] memberValue(double score, long expiryMillis) {
    boolean expires = expiryMillis != Expiry.NEVER;
    byte[] value = new byte[expires ? 2 * Long.BYTES : Long.BYTES];
    BigEndian.putLong(value, 0, sortable(score));
    if (expires) {
      BigEndian.putLong(value, Long.BYTES, expiryMillis);
    }
    return value;
  }

  /** The score in a member's value. */
  public static double memberScore(byte[] bytes, int offset, int length) {
    checkLength("member", length, Long.BYTES);
    return fromSortable(BigEndian.getLong(bytes, offset));
  }

  /** The expiry in a member's value. */
  public static long memberExpiryMillis(byte[] bytes, int offset, int length) {
    checkLength("member", length, Long.BYTES);
    return length == Long.BYTES ? Expiry.NEVER : BigEndian.getLong(bytes, offset + Long.BYTES);
  }

  /** The value of a place. */
  public static byte[] placeValue(long expiryMillis) {
    return expiryMillis == Expiry.NEVER ? new byte[0] : time(expiryMillis);
  }

  /** The expiry in a place's value. */
  public static long placeExpiryMillis(byte[] value) {
    checkLength("place", value.length, 0);
    return value.length == 0 ? Expiry.NEVER : BigEndian.getLong(value, 0);
  }

  /** The value of the earliest expiry. */
  public static byte[] time(long millis) {
    byte[] value = new byte[Long.BYTES];
    BigEndian.putLong(value, 0, millis);
    return value;
  }

  /** The time in the value of the earliest expiry. */
  public static long time(byte[] bytes, int offset, int length) {
    if (length != Long.BYTES) {
      throw new CorruptStoreException("a time has " + length + " bytes; expected 8", null);
    }
    return BigEndian.getLong(bytes, offset);
  }

  private static byte[] numbered(byte kind, long number, byte[] element) {
    byte[] key = new byte[NUMBER_END + element.length];
    key[0] = kind;
    BigEndian.putLong(key, 1, number);
    System.arraycopy(element, 0, key, NUMBER_END, element.length);
    return key;
  }

  private static byte[] behind(byte[] prefix) {
    byte[] successor = SortRange.successorOfPrefix(prefix);
    if (successor == null) {
      throw new IllegalArgumentException("There is nothing behind 0xff….");
    }
    return successor;
  }

  private static long sortable(double score) {
    // Adding 0.0 turns -0.0 into 0.0.
    long bits = Double.doubleToLongBits(score + 0.0);
    return bits ^ (bits >> (Long.SIZE - 1) | Long.MIN_VALUE);
  }

  private static double fromSortable(long sortable) {
    double score =
        Double.longBitsToDouble(sortable ^ (~sortable >> (Long.SIZE - 1) | Long.MIN_VALUE));
    if (Double.isNaN(score)) {
      throw new CorruptStoreException(
          String.format(Locale.ROOT, "a score of a scored set is no number: 0x%016x", sortable),
          null);
    }
    return score;
  }

  private static void checkNumbered(byte[] key) {
    if (key.length < NUMBER_END) {
      throw new CorruptStoreException(
          "a sort key of a scored set has " + key.length + " bytes; expected 9 at least", null);
    }
  }

  private static void checkLength(String what, int length, int without) {
    if (length != without && length != without + Long.BYTES) {
      throw new CorruptStoreException(
          "a "
              + what
              + " of a scored set has "
              + length
              + " bytes; expected "
              + without
              + ", or 8 more with an expiry",
          null);
    }
  }
}

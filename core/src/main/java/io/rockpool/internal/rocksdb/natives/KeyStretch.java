package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.format.Generation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keys from {@code from}, included, to {@code to}, excluded, that cannot be read.
 *
 * @param to null for the end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KeyStretch(byte[] from, byte @Nullable [] to) {
  /** Longer parts of keys are not told apart. */
  private static final int MAX_BYTES = 512;

  /** At the beginning of all keys, nothing is known of their length. */
  private static final int FIRST_BYTES = 64;

  /** The steps of the search grow by this share, so that it passes over few readable keys. */
  private static final int GROWTH = 8;

  /** The key right after another one. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The part of it that lies in another one. */
  KeyStretch within(KeyStretch other) {
    byte[] end = other.to;
    return new KeyStretch(
        Arrays.compareUnsigned(from, other.from) < 0 ? other.from : from,
        to == null || (end != null && Arrays.compareUnsigned(to, end) > 0) ? end : to);
  }

  /** Whether records of a generation may lie in it. */
  public boolean touches(long generation) {
    byte[] first = Generation.prefix(generation);
    byte[] end = Generation.prefix(generation + 1);
    return Arrays.compareUnsigned(from, end) < 0
        && (to == null || Arrays.compareUnsigned(withoutZeros(to), first) > 0);
  }

  /** No record key has zeros after its generation alone. */
  private static byte[] withoutZeros(byte[] key) {
    int length = key.length;
    while (length > Generation.BYTES && key[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(key, length);
  }

  /** Whether a key lies in it. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /**
   * The unreadable keys from {@code from} on.
   *
   * @param from where a search fails
   * @param to where it ends; null for the end
   * @param isReadable whether a search from a key on succeeds
   */
  static KeyStretch from(byte[] from, byte @Nullable [] to, Predicate<byte[]> isReadable) {
    int length = from.length == 0 ? FIRST_BYTES : Math.min(MAX_BYTES, from.length + Long.BYTES);
    BigInteger low = new BigInteger(1, Arrays.copyOf(from, length));
    BigInteger end =
        to == null
            ? BigInteger.ONE.shiftLeft(length * Byte.SIZE).subtract(BigInteger.ONE)
            : new BigInteger(1, Arrays.copyOf(to, length));
    BigInteger step = BigInteger.ONE;
    BigInteger high = low.add(step);
    while (high.compareTo(end) < 0 && !isReadable.test(key(high, length))) {
      low = high;
      step = step.add(step.divide(BigInteger.valueOf(GROWTH))).add(BigInteger.ONE);
      high = high.add(step);
    }
    if (high.compareTo(end) >= 0) {
      high = end;
      if (to == null && !isReadable.test(key(end, length))) {
        return new KeyStretch(from, null);
      }
    }
    while (high.subtract(low).compareTo(BigInteger.ONE) > 0) {
      BigInteger middle = low.add(high).shiftRight(1);
      if (isReadable.test(key(middle, length))) {
        high = middle;
      } else {
        low = middle;
      }
    }
    byte[] found = key(high, length);
    return new KeyStretch(from, to != null && Arrays.compareUnsigned(found, to) >= 0 ? to : found);
  }

  private static byte[] key(BigInteger number, int length) {
    byte[] digits = number.toByteArray();
    byte[] key = new byte[length];
    int from = Math.max(0, digits.length - length);
    System.arraycopy(digits, from, key, length - digits.length + from, digits.length - from);
    return key;
  }
}

package io.rockpool.codec;

/**
 * A codec whose bytes sort as its values do: for every a and b, {@code compare(a, b)} has the sign
 * of {@link java.util.Arrays#compareUnsigned(byte[], byte[])} on their encodings. Hence two values
 * compare as 0 exactly when their bytes are equal.
 *
 * @param <T> the type of the values
 */
public interface OrderedCodec<T> extends Codec<T> {

  /**
   * Compares two values in the order that their bytes have.
   *
   * @param a a value
   * @param b another
   * @return negative if a comes first, positive if b does, 0 if their bytes are equal
   */
  int compare(T a, T b);

  /**
   * Returns whether {@link #compare} is the {@code compareTo} of the values, so that a sorted
   * collection has no comparator of its own.
   *
   * @return false unless a codec says otherwise
   */
  default boolean isNaturalOrder() {
    return false;
  }
}

package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;

/**
 * Turns objects of one type into bytes and back. Safe for use by many threads at once.
 *
 * <p>A codec whose values serve as keys must be deterministic: equal keys give equal bytes, in this
 * process and in every later one.
 *
 * @param <T> the type of the objects
 */
public interface Codec<T> {

  /**
   * Returns the stable name of the encoding, as stored in a structure's descriptor. A codec that
   * reads or writes other bytes must have another id. The library's own ids are {@code string},
   * {@code bytes}, {@code enum}, {@code decimal}, {@code fory}, {@code java}, {@code any}, {@code
   * key} and those that begin with {@code ordered:} or {@code text:}; a user's codec takes any
   * other.
   *
   * @return the id
   */
  String id();

  /**
   * Returns the bytes of a value, in a new array that the caller owns.
   *
   * @param value never null
   * @return the bytes
   * @throws io.rockpool.error.UnencodableValueException if this codec has no bytes for the value;
   *     nothing was written
   */
  byte[] encode(T value);

  /**
   * Returns an array of {@code headroom} free bytes and then the bytes of the value, so that
   * something goes in front of them. Unless a codec does better, the bytes are copied.
   *
   * @param value never null
   * @throws io.rockpool.error.UnencodableValueException if this codec has no bytes for the value;
   *     nothing was written
   */
  @SuppressWarnings("NullAway") // the caller names a codec that returns null
  default byte[] encode(T value, int headroom) {
    byte[] bytes = encode(value);
    if (bytes == null) {
      return bytes;
    }
    byte[] out = new byte[headroom + bytes.length];
    System.arraycopy(bytes, 0, out, headroom, bytes.length);
    return out;
  }

  /**
   * Returns the value that {@code length} bytes at {@code offset} stand for. Keeps no reference to
   * the array, and allocates no more than a small multiple of {@code length}.
   *
   * @param bytes the array that holds the value
   * @param offset where it begins
   * @param length how many bytes are its
   * @return the value
   * @throws UndecodableValueException if the bytes are not those of a value; nothing else is thrown
   *     whatever the bytes are. Its message becomes part of others and of reports, so it must not
   *     show the value. What else a user's codec of values throws becomes the cause of such an
   *     exception: a cache removes the entry, a queue sets the message aside. Only a {@link
   *     io.rockpool.error.RockpoolException} of another class, such as for a server that does not
   *     answer, and an error of the JVM such as {@code OutOfMemoryError} reach the caller.
   */
  T decode(byte[] bytes, int offset, int length);

  /**
   * Returns whether values are known to be immutable <em>and</em> two values are equal exactly when
   * their encoded bytes are, so that one instance may be given to many callers and used as a hash
   * key.
   *
   * @return false where it is not known
   */
  boolean immutable();

  /**
   * Returns whether a value is known to be immutable, although others of its type may not be, so
   * that one instance may be given to many callers. By default this is {@link #immutable()}.
   *
   * @param value never null
   * @return false where it is not known
   */
  default boolean immutable(T value) {
    return immutable();
  }
}

package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * Makes something of a value while it lies in an engine's buffer, so that nothing is copied on the
 * way.
 *
 * @param <R> what it makes
 */
@FunctionalInterface
public interface RecordReader<R> {
  /**
   * Reads a value. The array is the engine's and is used again as soon as this returns: keep no
   * reference to it, change nothing in it, and call no store from here.
   *
   * @param bytes the array the value lies in
   * @param offset where in it the value begins
   * @param length how many bytes it has
   * @param expiryMillis when the record ends, or {@link Expiry#NEVER}
   * @return what the caller of {@link Space#get(byte[], byte[], RecordReader)} shall have
   */
  @Nullable R read(byte[] bytes, int offset, int length, long expiryMillis);
}

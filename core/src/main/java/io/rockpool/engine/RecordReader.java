package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * Reads a value from an engine's buffer, without a copy.
 *
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface RecordReader<R> {
  /**
   * Reads a value. The engine reuses the array as soon as this returns: keep no reference to it,
   * change nothing in it, and call no store from here.
   *
   * @param bytes the array that contains the value
   * @param offset where the value begins
   * @param length the number of its bytes
   * @param expiryMillis its expiry, or {@link Expiry#NEVER}
   * @return the result for the caller of {@link Space#get(byte[], byte[], RecordReader)}
   */
  @Nullable R read(byte[] bytes, int offset, int length, long expiryMillis);
}

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
   * Reads the value at {@code bytes[offset, offset + length)}. The array is the engine's and is
   * used again as soon as this returns: keep no reference to it, change nothing in it, and call no
   * store from here.
   */
  @Nullable R read(byte[] bytes, int offset, int length, long expiryMillis);
}

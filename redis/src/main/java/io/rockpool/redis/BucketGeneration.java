package io.rockpool.redis;

import io.rockpool.engine.Expiry;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The value of a bucket's generation in Redis: a number that never repeats, and when all records of
 * the space expire. Entries of another generation do not exist.
 */
record BucketGeneration(long id, long expiryMillis) {
  private static final int BYTES = 2 * Long.BYTES;

  /** A new generation without expiry. */
  static BucketGeneration fresh() {
    return new BucketGeneration(ThreadLocalRandom.current().nextLong(), Expiry.NEVER);
  }

  static @Nullable BucketGeneration of(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length != BYTES) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new BucketGeneration(buffer.getLong(), buffer.getLong());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(id).putLong(expiryMillis).array();
  }

  boolean isOver(long nowMillis) {
    return expiryMillis != Expiry.NEVER && expiryMillis <= nowMillis;
  }
}

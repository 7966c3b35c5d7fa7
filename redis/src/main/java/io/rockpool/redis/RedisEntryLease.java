package io.rockpool.redis;

import io.rockpool.engine.Lease;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A lease on an entry: on the id of its write. On an absent entry it is the placeholder in the
 * entry's key, which the server removes: a format byte, the generation of its bucket, an id, and
 * when it ends, in seconds since the epoch. It is shorter than any {@link StoredEntry}, so nothing
 * takes it for one.
 *
 * @param generation the generation of the bucket
 * @param id the id of the write, or of the placeholder
 */
record RedisEntryLease(long generation, long id) implements Lease {
  private static final byte FORMAT = 2;
  private static final int GENERATION = 1;
  private static final int ID = 9;
  private static final int END = 17;
  private static final int BYTES = END + Integer.BYTES;

  static RedisEntryLease of(StoredEntry entry) {
    return new RedisEntryLease(entry.generation(), entry.writeId());
  }

  /** The placeholder. */
  byte[] bytes(long endMillis) {
    return ByteBuffer.allocate(BYTES)
        .put(FORMAT)
        .putLong(generation)
        .putLong(id)
        .putInt((int) (endMillis / 1_000))
        .array();
  }

  /** The lease of a placeholder that can be shared; null for anything else. */
  static @Nullable RedisEntryLease shared(byte[] bytes, long generation, long nowMillis) {
    if (bytes.length != BYTES || bytes[0] != FORMAT) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long endMillis = Integer.toUnsignedLong(buffer.getInt(END)) * 1_000;
    return buffer.getLong(GENERATION) == generation && Lease.isShared(endMillis, nowMillis)
        ? new RedisEntryLease(generation, buffer.getLong(ID))
        : null;
  }

  /** What {@link Scripts#WRITE} compares: format-independent, as both have them at one place. */
  byte[] compared() {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(generation).putLong(id).array();
  }
}

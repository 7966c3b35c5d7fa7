package io.rockpool.internal.encryption;

import io.rockpool.internal.format.SealedValueFormat;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKey;

/**
 * What encrypts the values that one handle of a store writes under one name: random bytes that no
 * other handle has, and a counter. Thread-safe.
 */
final class WriteEpoch {
  private static final long MOST_VALUES = 1L << (8 * SealedValueFormat.COUNTER_BYTES);

  private final byte[] id;
  private final DataKey dataKey;
  private final SecretKey key;
  private final AtomicLong next = new AtomicLong();

  WriteEpoch(DataKey dataKey, byte[] id) {
    this.id = id;
    this.dataKey = dataKey;
    this.key = dataKey.recordKey(id, 0);
  }

  byte[] id() {
    return id;
  }

  DataKey dataKey() {
    return dataKey;
  }

  SecretKey key() {
    return key;
  }

  /** A counter that was never returned before; negative if there is none left. */
  long takeCounter() {
    long counter = next.getAndIncrement();
    return counter < MOST_VALUES ? counter : -1;
  }
}

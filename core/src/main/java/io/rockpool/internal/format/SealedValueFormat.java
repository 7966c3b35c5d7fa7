package io.rockpool.internal.format;

/**
 * The layout of an encrypted value: one format byte, the number of its data key, 12 bytes of the
 * epoch in which it was written, 4 bytes counter (big-endian), the ciphertext, and a tag of 16
 * bytes. The ciphertext is that of AES-256-GCM, with a key that the data key and the epoch
 * determine; its nonce is 8 zero bytes and the counter. The associated data ties it to its record:
 * format byte, key number, expiry (8 bytes), length of the hash key (4 bytes), hash key, sort key.
 */
public final class SealedValueFormat {
  /** The format byte without flags. */
  public static final int VERSION = 0x10;

  /** The flag of a plaintext that is compressed: 4 bytes length, and a raw deflate stream. */
  public static final int COMPRESSED = 0x01;

  /** The flag of a record that its row counts. */
  public static final int COUNTED = 0x02;

  public static final int KEY_AT = 1;
  public static final int EPOCH_AT = 2;
  public static final int EPOCH_BYTES = 12;
  public static final int COUNTER_AT = EPOCH_AT + EPOCH_BYTES;
  public static final int COUNTER_BYTES = 4;
  public static final int HEADER_BYTES = COUNTER_AT + COUNTER_BYTES;
  public static final int TAG_BYTES = 16;

  /** How much longer a value is once it is encrypted. */
  public static final int OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

  public static final int NONCE_BYTES = 12;

  /** The bytes of the associated data beside the keys. */
  public static final int FIXED_ASSOCIATED_BYTES = 2 + Long.BYTES + Integer.BYTES;

  private SealedValueFormat() {}

  /** Whether a format byte is one of this version. */
  public static boolean isKnown(byte format) {
    return (format & ~(COMPRESSED | COUNTED)) == VERSION;
  }
}

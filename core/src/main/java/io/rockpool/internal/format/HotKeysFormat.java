package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of the keys in a cache's hot tier, most used first; the value of a record in a hidden
 * space.
 *
 * <pre>
 * version      1 byte     1
 * each key     LEB128     its length
 *              bytes      as encoded
 * </pre>
 *
 * <p>All parts are in one row with an empty hash key. The sort key is the part's number, 4 bytes,
 * starting at 0. If several handles share the store, each has parts of its own: the random 16 bytes
 * of the handle are in front of the number. The record {@link #NEWEST} then has the bytes of the
 * handle that saved last.
 */
public final class HotKeysFormat {
  /** The sort key of the record that names the handle which saved last. */
  public static final byte[] NEWEST = {};

  private static final byte VERSION = 1;

  private HotKeysFormat() {}

  /** The bytes that a key of this length takes in a part. */
  public static int bytes(int keyLength) {
    return Leb128.length(keyLength) + keyLength;
  }

  /**
   * The sort key of a part.
   *
   * @param handle the bytes of the handle; none in a store that one handle has
   */
  public static byte[] sortKey(byte[] handle, int part) {
    byte[] key = Arrays.copyOf(handle, handle.length + Integer.BYTES);
    BigEndian.putInt(key, handle.length, part);
    return key;
  }

  /** Encodes a part. */
  public static byte[] encode(List<byte[]> keys) {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    part.write(VERSION);
    byte[] length = new byte[Leb128.MAX_INT_BYTES];
    for (byte[] key : keys) {
      part.write(length, 0, Leb128.put(length, 0, key.length));
      part.write(key, 0, key.length);
    }
    return part.toByteArray();
  }

  /**
   * Decodes the keys of a part.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static List<byte[]> decode(byte[] part) {
    if (part.length == 0 || part[0] != VERSION) {
      throw corrupt(part);
    }
    List<byte[]> keys = new ArrayList<>();
    for (int at = 1; at < part.length; ) {
      int length = Leb128.get(part, at, part.length);
      int from = at + Leb128.length(length);
      at = from + length;
      if (at < from || at > part.length) {
        throw corrupt(part);
      }
      keys.add(Arrays.copyOfRange(part, from, at));
    }
    return keys;
  }

  private static CorruptStoreException corrupt(byte[] part) {
    return new CorruptStoreException(
        "A part of a cache's hot keys has "
            + part.length
            + " bytes that are not a version 1 and keys with their lengths.",
        null);
  }
}

package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.BigEndian;
import io.rockpool.internal.bytes.Leb128;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tags of a cache entry: the epoch of its cache when its value was made (8 bytes, big-endian),
 * and each tag as its length in LEB128 and its UTF-8 bytes.
 */
public final class EntryTagsFormat {
  private EntryTagsFormat() {}

  /** Encodes an epoch and tags. */
  public static byte[] encode(long epoch, List<byte[]> tags) {
    int length = Long.BYTES;
    for (byte[] tag : tags) {
      length += Leb128.length(tag.length) + tag.length;
    }
    byte[] bytes = new byte[length];
    BigEndian.putLong(bytes, 0, epoch);
    int at = Long.BYTES;
    for (byte[] tag : tags) {
      at = Leb128.put(bytes, at, tag.length);
      System.arraycopy(tag, 0, bytes, at, tag.length);
      at += tag.length;
    }
    return bytes;
  }

  /**
   * The epoch.
   *
   * @throws CorruptStoreException if it is not complete
   */
  public static long epoch(byte[] bytes) {
    if (bytes.length < Long.BYTES) {
      throw corrupt(bytes);
    }
    return BigEndian.getLong(bytes, 0);
  }

  /**
   * The tags.
   *
   * @throws CorruptStoreException if they are not of this format
   */
  public static List<byte[]> tags(byte[] bytes) {
    List<byte[]> tags = new ArrayList<>();
    int at = Long.BYTES;
    while (at < bytes.length) {
      int length = Leb128.get(bytes, at, bytes.length);
      int from = at + Leb128.length(length);
      if (length == 0 || length > bytes.length - from) {
        throw corrupt(bytes);
      }
      at = from + length;
      tags.add(Arrays.copyOfRange(bytes, from, at));
    }
    if (tags.isEmpty()) {
      throw corrupt(bytes);
    }
    return tags;
  }

  private static CorruptStoreException corrupt(byte[] bytes) {
    return new CorruptStoreException(
        "The tags of a cache entry have "
            + bytes.length
            + " bytes that are not an epoch and the lengths and bytes of tags.",
        null);
  }
}

package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;

/**
 * The nodes of a scored set's rank index, a counted B-tree over the sort keys of its places. A node
 * divides its part of the places into shares at <i>separators</i> and stores the number of places
 * in each share. A separator is the lowest key of its share, or a prefix of that key. A share of a
 * level-0 node is a run of places; a share of a higher node is the part of one node on the level
 * below.
 *
 * <pre>
 * sort key     04                              the root
 *              04 level (1) separator          another node: its first separator
 * value        level (1)
 *              number of shares (LEB128), 1 or more
 *              per share: number of places (LEB128)
 *              length of the common prefix of all separators (LEB128), the prefix
 *              per share: length of the rest of the separator (LEB128), the rest
 * </pre>
 */
public final class RankNodeFormat {
  /** The first byte of a node's sort key. */
  public static final byte KIND = 4;

  private static final int MAX_LEVEL = 0xFF;

  /**
   * A node.
   *
   * @param level its level; 0 is directly above the places
   * @param places the number of places in each share
   * @param separators the starts of the shares
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Node(int level, long[] places, Separators separators) {}

  private RankNodeFormat() {}

  /** The sort key of the root. */
  public static byte[] rootKey() {
    return new byte[] {KIND};
  }

  /** The sort key of a node other than the root. */
  public static byte[] key(int level, byte[] separator) {
    byte[] key = new byte[2 + separator.length];
    key[0] = KIND;
    key[1] = (byte) level;
    System.arraycopy(separator, 0, key, 2, separator.length);
    return key;
  }

  /** Encodes a node. */
  public static byte[] encode(Node node) {
    long[] places = node.places();
    Separators separators = node.separators();
    int length = 1 + Leb128.length(places.length) + separators.length();
    for (long count : places) {
      length += Leb128.length(count);
    }
    byte[] value = new byte[length];
    value[0] = (byte) node.level();
    int at = Leb128.put(value, 1, places.length);
    for (long count : places) {
      at = Leb128.put(value, at, count);
    }
    separators.put(value);
    return value;
  }

  /**
   * Decodes a node.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static Node decode(byte[] value) {
    if (value.length == 0) {
      throw new CorruptStoreException("a node of a rank index is empty", null);
    }
    int size = Leb128.get(value, 1, value.length);
    if (size == 0 || size > value.length) {
      throw new CorruptStoreException(
          "a node of a rank index has " + size + " shares in " + value.length + " bytes", null);
    }
    int at = 1 + Leb128.length(size);
    long[] places = new long[size];
    for (int i = 0; i < size; i++) {
      places[i] = Leb128.getLong(value, at, value.length);
      at += Leb128.length(places[i]);
    }
    return new Node(value[0] & MAX_LEVEL, places, Separators.read(value, at, size));
  }
}

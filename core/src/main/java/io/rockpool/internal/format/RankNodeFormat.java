package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes of a scored set's rank index, a counted B-tree over the sort keys of its places. A node
 * divides its part of them by <i>separators</i>, each the lowest key of a share or the beginning of
 * it, and keeps how many places each share has. A share of a node of level 0 is some neighbouring
 * places; one of a higher node is what a node of the level below divides.
 *
 * <pre>
 * sort key     04                              the root
 *              04 level (1) separator          another node: its first separator
 * value        level (1)
 *              number of shares (LEB128), 1 or more
 *              length of what all separators begin with (LEB128), and that
 *              per share: length of the rest of the separator (LEB128), the rest, number of places (LEB128)
 * </pre>
 */
public final class RankNodeFormat {
  private static final byte KIND = 4;
  private static final int MAX_LEVEL = 0xFF;

  /**
   * A node.
   *
   * @param level how far above the places it is
   * @param separators where its shares begin, ascending
   * @param places how many places each share has
   */
  public record Node(int level, List<byte[]> separators, List<Long> places) {}

  private RankNodeFormat() {}

  /** The sort key of the root. */
  public static byte[] rootKey() {
    return new byte[] {KIND};
  }

  /** The sort key of a node that is not the root. */
  public static byte[] key(int level, byte[] separator) {
    byte[] key = new byte[2 + separator.length];
    key[0] = KIND;
    key[1] = (byte) level;
    System.arraycopy(separator, 0, key, 2, separator.length);
    return key;
  }

  /** A node's value. */
  public static byte[] encode(Node node) {
    List<byte[]> separators = node.separators();
    byte[] first = separators.get(0);
    // What the first and the last begin with, all between them do.
    int common = common(first, separators.get(separators.size() - 1));
    int length = 1 + Leb128.length(separators.size()) + Leb128.length(common) + common;
    for (int i = 0; i < separators.size(); i++) {
      int rest = separators.get(i).length - common;
      length += Leb128.length(rest) + rest + Leb128.length(node.places().get(i));
    }
    byte[] bytes = new byte[length];
    bytes[0] = (byte) node.level();
    int at = Leb128.put(bytes, 1, separators.size());
    at = append(bytes, at, first, 0, common);
    for (int i = 0; i < separators.size(); i++) {
      byte[] separator = separators.get(i);
      at = append(bytes, at, separator, common, separator.length);
      at = Leb128.put(bytes, at, node.places().get(i));
    }
    return bytes;
  }

  private static int append(byte[] bytes, int offset, byte[] part, int from, int to) {
    int at = Leb128.put(bytes, offset, to - from);
    System.arraycopy(part, from, bytes, at, to - from);
    return at + to - from;
  }

  private static int common(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /**
   * A node of its value.
   *
   * @throws CorruptStoreException if it is not of this format
   */
  public static Node decode(byte[] bytes) {
    if (bytes.length == 0) {
      throw new CorruptStoreException("a node of a rank index is empty", null);
    }
    Reader reader = new Reader(bytes);
    int level = bytes[0] & MAX_LEVEL;
    int size = reader.number();
    byte[] common = reader.part(new byte[0]);
    List<byte[]> separators = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      separators.add(reader.part(common));
      places.add(reader.count());
    }
    if (size == 0 || reader.at != bytes.length) {
      throw new CorruptStoreException(
          "a node of a rank index has " + size + " shares in " + bytes.length + " bytes", null);
    }
    return new Node(level, separators, places);
  }

  private static final class Reader {
    private final byte[] bytes;
    private int at = 1;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    int number() {
      int number = Leb128.get(bytes, at, bytes.length);
      at += Leb128.length(number);
      return number;
    }

    long count() {
      long count = Leb128.getLong(bytes, at, bytes.length);
      at += Leb128.length(count);
      return count;
    }

    /** {@code begin} and then a part that follows its length. */
    byte[] part(byte[] begin) {
      int length = number();
      if (length > bytes.length - at) {
        throw new CorruptStoreException(
            "a node of a rank index ends within a part of " + length + " bytes", null);
      }
      byte[] part = Arrays.copyOf(begin, begin.length + length);
      System.arraycopy(bytes, at, part, begin.length, length);
      at += length;
      return part;
    }
  }
}

package io.rockpool.internal.format;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.bytes.Leb128;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The separators of a node of a rank index, ascending, in their encoded form; see {@link
 * RankNodeFormat}. Immutable. Lookup and encoding copy no separator: each change of a scored set
 * reads and writes nodes, but seldom changes their separators.
 */
public final class Separators {
  private final byte[] bytes;
  private final int from;
  private final int commonFrom;
  private final int commonLength;

  /** The offsets of each separator's part after the common prefix. */
  private final int[] starts;

  private final int[] ends;

  private Separators(byte[] bytes, int from, int size) {
    this.bytes = bytes;
    this.from = from;
    this.commonLength = Leb128.get(bytes, from, bytes.length);
    this.commonFrom = from + Leb128.length(commonLength);
    this.starts = new int[size];
    this.ends = new int[size];
    int at = behind(commonFrom, commonLength);
    for (int i = 0; i < size; i++) {
      int length = Leb128.get(bytes, at, bytes.length);
      starts[i] = at + Leb128.length(length);
      ends[i] = behind(starts[i], length);
      at = ends[i];
    }
    if (at != bytes.length) {
      throw new CorruptStoreException(
          "a node of a rank index has " + (bytes.length - at) + " bytes behind its end", null);
    }
  }

  private int behind(int offset, int length) {
    if (length > bytes.length - offset) {
      throw new CorruptStoreException(
          "a node of a rank index ends within a part of " + length + " bytes", null);
    }
    return offset + length;
  }

  /** The separators from {@code offset} to the end of a node's value. */
  static Separators read(byte[] bytes, int offset, int size) {
    return new Separators(bytes, offset, size);
  }

  /** Creates separators from a non-empty list. */
  public static Separators of(List<byte[]> separators) {
    byte[] first = separators.get(0);
    // The common prefix of the first and the last is that of all, because they are sorted.
    int common = common(first, separators.get(separators.size() - 1));
    int length = Leb128.length(common) + common;
    for (byte[] separator : separators) {
      int rest = separator.length - common;
      length += Leb128.length(rest) + rest;
    }
    byte[] bytes = new byte[length];
    int at = append(bytes, 0, first, 0, common);
    for (byte[] separator : separators) {
      at = append(bytes, at, separator, common, separator.length);
    }
    return new Separators(bytes, 0, separators.size());
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

  /** The number of separators. */
  public int size() {
    return starts.length;
  }

  /** A copy of a separator. */
  public byte[] get(int index) {
    int rest = ends[index] - starts[index];
    byte[] separator = Arrays.copyOfRange(bytes, commonFrom, commonFrom + commonLength + rest);
    System.arraycopy(bytes, starts[index], separator, commonLength, rest);
    return separator;
  }

  /** Copies of all separators, in a modifiable list. */
  public List<byte[]> toList() {
    List<byte[]> list = new ArrayList<>(size() + 1);
    for (int i = 0; i < size(); i++) {
      list.add(get(i));
    }
    return list;
  }

  /** Whether a separator is above a key. */
  public boolean isAbove(int index, byte[] key) {
    int compared = Math.min(commonLength, key.length);
    int order =
        Arrays.compareUnsigned(bytes, commonFrom, commonFrom + commonLength, key, 0, compared);
    if (order == 0) {
      order = Arrays.compareUnsigned(bytes, starts[index], ends[index], key, compared, key.length);
    }
    return order > 0;
  }

  /** The encoded length. */
  int length() {
    return bytes.length - from;
  }

  /** Writes them at the end of a value. */
  void put(byte[] value) {
    System.arraycopy(bytes, from, value, value.length - length(), length());
  }
}

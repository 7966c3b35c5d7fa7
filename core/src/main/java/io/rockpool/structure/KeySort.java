package io.rockpool.structure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Sorts many items by their encoded keys; stable. It first sorts abbreviations, the 8 bytes after
 * the common prefix, in one array. Fetching each key from memory is the slow part (Nyberg, Barclay,
 * Cvetanovic, Gray and Lomet, "AlphaSort", 1994).
 */
final class KeySort {
  private KeySort() {}

  static <T> void sort(List<T> items, Function<? super T, byte[]> key) {
    sortByAbbreviation(items, key);
    items.sort(Comparator.comparing(key, Arrays::compareUnsigned));
  }

  private static <T> void sortByAbbreviation(List<T> items, Function<? super T, byte[]> key) {
    int common = commonLength(items, key);
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(items.size());
    long places = (1L << placeBits) - 1;
    long[] abbreviations = new long[items.size()];
    for (int i = 0; i < abbreviations.length; i++) {
      abbreviations[i] = (signed(key.apply(items.get(i)), common) & ~places) | i;
    }
    Arrays.sort(abbreviations);
    List<T> before = new ArrayList<>(items);
    for (int i = 0; i < abbreviations.length; i++) {
      items.set(i, before.get((int) (abbreviations[i] & places)));
    }
  }

  /** The length of the common prefix of all keys. */
  private static <T> int commonLength(List<T> items, Function<? super T, byte[]> key) {
    byte[] first = items.isEmpty() ? new byte[0] : key.apply(items.get(0));
    int common = first.length;
    for (T item : items) {
      byte[] other = key.apply(item);
      int differs = Arrays.mismatch(first, 0, common, other, 0, Math.min(common, other.length));
      common = differs < 0 ? Math.min(common, other.length) : differs;
    }
    return common;
  }

  /** Eight bytes from {@code from} on, as a number with the same order. Missing bytes are zero. */
  private static long signed(byte[] bytes, int from) {
    long number = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      number = number << Byte.SIZE | (i < bytes.length ? bytes[i] & 0xFF : 0);
    }
    return number ^ Long.MIN_VALUE;
  }
}

package io.rockpool.benchmarks;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Keys and values, made before anything is measured. The same in every run. */
final class Data {
  static final Codec<String> KEYS = Codecs.defaults().keyCodec(TypeRef.of(String.class));
  static final Codec<String> VALUES = Codecs.defaults().valueCodec(TypeRef.of(String.class));

  /** Distinct values, few enough that choosing one costs no contestant a cache miss. */
  static final int DISTINCT_VALUES = 1 << 12;

  /** The length of a sequence of indexes, a power of two; past its end it begins again. */
  static final int SEQUENCE = 1 << 22;

  /** A prime that divides no number of entries that anyone asks for. */
  private static final long SPREAD = 7_919;

  private static final long SEED = 42;

  private final String[] keys;
  private final String[] values;

  Data(int entries, int valueBytes) {
    keys = new String[entries];
    Arrays.setAll(keys, Data::key);
    values = new String[Math.min(entries, DISTINCT_VALUES)];
    Random random = new Random(SEED);
    Arrays.setAll(values, i -> text(random, valueBytes));
  }

  int entries() {
    return keys.length;
  }

  String keyAt(int index) {
    return keys[index];
  }

  String valueAt(int index) {
    return values[index % values.length];
  }

  /** The encoded keys. */
  byte[][] keyBytes() {
    return Arrays.stream(keys).map(KEYS::encode).toArray(byte[][]::new);
  }

  /** The encoded values; {@code index % length} is that of {@link #valueAt}. */
  byte[][] valueBytes() {
    return Arrays.stream(values).map(VALUES::encode).toArray(byte[][]::new);
  }

  /** The entries at these indexes. */
  Map<String, String> map(int[] indexes) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int index : indexes) {
      map.put(keys[index], valueAt(index));
    }
    return map;
  }

  /** A key of 16 characters; neighbours lie far apart in the store. */
  static String key(int index) {
    long mixed = index * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return HexFormat.of().toHexDigits(mixed ^ mixed >>> 32);
  }

  /** Text that compresses to some half, as records in text form do. */
  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append("\"field\":").append(random.nextInt(1_000_000)).append(',');
    }
    text.setLength(length);
    return text.toString();
  }

  /** The indexes below {@code entries} one after the other, again and again. */
  static int[] inOrder(int entries) {
    return IntStream.range(0, SEQUENCE).map(i -> i % entries).toArray();
  }

  /** Indexes below {@code entries}, each as likely as any other. */
  static int[] uniform(int entries) {
    return new SplittableRandom(SEED).ints(SEQUENCE, 0, entries).toArray();
  }

  /**
   * Indexes below {@code entries}, the one of rank r with a likelihood of 1 / r^{@code skew}; ranks
   * are spread out.
   */
  static int[] zipf(int entries, double skew) {
    double[] below = new double[entries];
    double sum = 0;
    for (int i = 0; i < entries; i++) {
      sum += 1 / Math.pow(i + 1, skew);
      below[i] = sum;
    }
    double total = sum;
    return new SplittableRandom(SEED)
        .doubles(SEQUENCE)
        .mapToInt(
            random -> {
              int found = Arrays.binarySearch(below, random * total);
              int rank = Math.min(entries - 1, found < 0 ? -found - 1 : found);
              return (int) (rank * SPREAD % entries);
            })
        .toArray();
  }

  /** Batches of {@code size} distinct indexes, at random. */
  List<int[]> batches(int count, int size) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<int[]> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(random.ints(0, keys.length).distinct().limit(size).toArray());
    }
    return batches;
  }
}

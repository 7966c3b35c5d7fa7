package io.rockpool.cache;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Reads of keys by Zipf's law (0.99) over as many keys as there are, in an order of popularity that
 * is the same each time.
 */
final class ZipfReads {
  private static final double SKEW = 0.99;

  private final double[] upTo;
  private final int[] keys;
  private final SplittableRandom random;

  ZipfReads(int number, long seed) {
    upTo = new double[number];
    double sum = 0;
    for (int i = 0; i < number; i++) {
      sum += 1 / Math.pow(i + 1, SKEW);
      upTo[i] = sum;
    }
    keys = new int[number];
    SplittableRandom places = new SplittableRandom(42);
    for (int i = 0; i < number; i++) {
      int other = places.nextInt(i + 1);
      keys[i] = keys[other];
      keys[other] = i;
    }
    random = new SplittableRandom(seed);
  }

  /** The next key that is asked for. */
  String next() {
    int place = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
    return key(keys[place < 0 ? Math.min(-place - 1, keys.length - 1) : place]);
  }

  static String key(int number) {
    return String.format(Locale.ROOT, "user-%08d", number);
  }

  /** Reads so often; returns the part of the reads that was answered from memory. */
  double hotRatio(PersistentCache<String, String> cache, int reads) {
    long before = cache.statistics().hotHits();
    for (int i = 0; i < reads; i++) {
      cache.get(next());
    }
    return (double) (cache.statistics().hotHits() - before) / reads;
  }
}

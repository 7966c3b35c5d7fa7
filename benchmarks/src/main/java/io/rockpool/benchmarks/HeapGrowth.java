package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * How much of the heap an open store takes, with so many entries on disk and the same number of
 * them in memory.
 */
public final class HeapGrowth {
  private static final int HOT_ENTRIES = 10_000;
  private static final int SMALL_VALUE_BYTES = 10;

  /**
   * Collections after which what is left is taken to be in use: the first ones queue cleaners and
   * references.
   */
  private static final int COLLECTIONS = 5;

  private HeapGrowth() {}

  /**
   * Prints the bytes taken with each of the numbers of entries that are given, or 100,000 and
   * 5,000,000.
   */
  public static void main(String[] args) {
    String[] counts = args.length == 0 ? new String[] {"100000", "5000000"} : args;
    for (String count : counts) {
      int entries = Integer.parseInt(count);
      System.out.printf(
          Locale.ROOT, "%,d entries on disk: %,d bytes of heap%n", entries, bytesTaken(entries));
    }
  }

  /** The bytes of heap that a store takes after every one of its entries was read. */
  static long bytesTaken(int entries) {
    PreparedStore.prepare(entries, SMALL_VALUE_BYTES);
    long before = usedBytes();
    try (Rockpool pool = Rockpool.open(PreparedStore.prepare(entries, SMALL_VALUE_BYTES))) {
      PersistentCache<String, String> cache = RockpoolContestant.open(pool, HOT_ENTRIES);
      for (int i = 0; i < entries; i++) {
        if (cache.get(Data.key(i)) == null) {
          throw new IllegalStateException("The entry " + i + " is not there.");
        }
      }
      return usedBytes() - before;
    }
  }

  /** The bytes of the heap that are in use. */
  static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}

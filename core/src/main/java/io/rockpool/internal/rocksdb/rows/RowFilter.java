package io.rockpool.internal.rocksdb.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of byte arrays that only grows, of which it can say what is surely not in it: Bloom filters
 * of 512-bit blocks, one cache line for each look (Putze, Sanders and Singler, "Cache-, Hash- and
 * Space-Efficient Bloom Filters", 2007), the first for what is expected, each other twice as large
 * as the one before. About 2 in 100 arrays that are not in it look as if they might be. For one
 * thread at a time.
 */
final class RowFilter {
  private static final int MIN_CAPACITY = 1 << 12;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_LONGS = 8;
  private static final int BLOCK_BITS_LOG = 9;

  /** As many as there are bits for in a hash of 64 bits, of which each takes 9. */
  private static final int PROBES = 7;

  private final int firstCapacity;
  private final List<long[]> parts = new ArrayList<>();
  private int room;
  private volatile long bytes;

  /** An empty set, to which {@code expected} arrays will be added soon. */
  RowFilter(int expected) {
    firstCapacity = Math.max(MIN_CAPACITY, Integer.highestOneBit(2 * expected - 1));
  }

  /** How much of the heap it takes; any thread may ask. */
  long bytes() {
    return bytes;
  }

  /** Adds an array. */
  void add(byte[] key) {
    if (room == 0) {
      room = firstCapacity << parts.size();
      parts.add(new long[room * BITS_PER_KEY / Long.SIZE]);
      bytes = parts.stream().mapToLong(part -> (long) part.length * Long.BYTES).sum();
    }
    room--;
    long hash = mix(Arrays.hashCode(key));
    long[] part = parts.get(parts.size() - 1);
    int block = block(hash, part);
    long probes = mix(hash);
    for (int i = 0; i < PROBES; i++) {
      part[block + word(probes, i)] |= 1L << (probes >>> (i * BLOCK_BITS_LOG));
    }
  }

  /** Whether an array may have been added; false if it surely was not. */
  boolean mayHave(byte[] key) {
    long hash = mix(Arrays.hashCode(key));
    long probes = mix(hash);
    for (long[] part : parts) {
      if (has(part, block(hash, part), probes)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(long[] part, int block, long probes) {
    for (int i = 0; i < PROBES; i++) {
      if ((part[block + word(probes, i)] >>> (probes >>> (i * BLOCK_BITS_LOG)) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Where the block of a hash begins. */
  private static int block(long hash, long[] part) {
    int blocks = part.length / BLOCK_LONGS;
    return (int) (((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE) * BLOCK_LONGS;
  }

  /** The word of a block in which the bit of a probe is, whose place in it the next 6 bits say. */
  private static int word(long probes, int probe) {
    return (int) (probes >>> (probe * BLOCK_BITS_LOG + 6)) & (BLOCK_LONGS - 1);
  }

  /** MurmurHash3's finalizer: each bit of the result depends on all of the hash. */
  private static long mix(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }
}

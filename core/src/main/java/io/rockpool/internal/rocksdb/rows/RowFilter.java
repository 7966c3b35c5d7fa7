package io.rockpool.internal.rocksdb.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A growing Bloom filter of byte arrays with 512-bit blocks: one cache line per lookup (Putze,
 * Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007). It is a list of
 * filters, the first for the expected number, each later one twice as large. About 2 in 100 absent
 * arrays are reported as possibly present. For one thread at a time.
 */
final class RowFilter {
  private static final int MIN_CAPACITY = 1 << 12;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_LONGS = 8;
  private static final int BLOCK_BITS_LOG = 9;

  /** A hash of 64 bits has bits for seven probes, 9 for each. */
  private static final int PROBES = 7;

  private final int firstCapacity;
  private final List<long[]> parts = new ArrayList<>();
  private int room;
  private volatile long bytes;

  /** Creates an empty filter for {@code expected} arrays. */
  RowFilter(int expected) {
    firstCapacity = Math.max(MIN_CAPACITY, Integer.highestOneBit(2 * expected - 1));
  }

  /** Its heap use; any thread may call this. */
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

  /** The start of the block of a hash. */
  private static int block(long hash, long[] part) {
    int blocks = part.length / BLOCK_LONGS;
    return (int) (((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE) * BLOCK_LONGS;
  }

  /** The word with the bit of a probe; the low 6 bits of the probe select the bit in it. */
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

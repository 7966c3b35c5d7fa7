package io.rockpool.internal.rocksdb.rows;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What takes heap in a {@link RowMemory}. Its content can change without a change of the cache. */
abstract class Kept {
  /** The heap that a single record takes besides the bytes of its key and itself. */
  private static final int SINGLE_BYTES = 136;

  /** What is kept is weighed again once it has changed by more than one part in so many. */
  private static final int WEIGHT_SLACK = 4;

  /** What it weighs in the cache. */
  private int weight;

  abstract int bytes();

  /** Whether its content has grown or shrunk so much that the cache should know. */
  boolean mustBeWeighed() {
    return Math.abs(bytes() - weight) > weight / WEIGHT_SLACK;
  }

  int weigh() {
    weight = bytes();
    return weight;
  }

  /** A record by its key. */
  static final class Single extends Kept {
    private final byte[] key;
    private final int hash;

    /** Null while it is written. */
    volatile byte @Nullable [] record;

    Single(byte[] key, byte @Nullable [] record) {
      this.key = key;
      this.hash = Arrays.hashCode(key);
      this.record = record;
    }

    @Override
    int bytes() {
      byte[] now = record;
      return SINGLE_BYTES + key.length + (now == null ? 0 : now.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Single that && hash == that.hash && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** A stretch of a row with its page. */
  static final class Place extends Kept {
    final byte[] from;
    final byte[] to;

    /** Null while it is written. */
    volatile @Nullable RowPage page;

    /** How often it was written since it was read. */
    volatile int writes;

    Place(RowPage page) {
      this.from = page.from;
      this.to = page.to;
      this.page = page;
    }

    @Override
    int bytes() {
      RowPage now = page;
      return now == null ? 0 : now.bytes;
    }

    /** The page, which counts as used. */
    @Nullable RowPage read(Cache<Kept, Kept> kept) {
      if (writes != 0) {
        writes = 0;
      }
      return kept.getIfPresent(this) == null ? null : page;
    }

    boolean covers(byte[] key) {
      return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
    }
  }
}

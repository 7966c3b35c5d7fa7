package io.rockpool.internal.concurrent;

/** Spreads threads and keys over a power of two of slots. */
public final class Stripes {
  /**
   * 2^32 divided by the golden ratio: multiplying by it spreads neighbouring numbers far apart in
   * the high bits.
   */
  private static final int GOLDEN = 0x9E3779B9;

  private Stripes() {}

  /**
   * The slot of the current thread among {@code count}, a power of two above one; always the same
   * for a thread.
   */
  public static int ofCurrentThread(int count) {
    return of((int) Thread.currentThread().getId(), count);
  }

  /** A hash whose high bits differ for neighbouring hashes. A bijection. */
  public static int spread(int hash) {
    return hash * GOLDEN;
  }

  /** The slot of a hash among {@code count}, a power of two above one. */
  public static int of(int hash, int count) {
    return spread(hash) >>> Integer.numberOfLeadingZeros(count - 1);
  }
}

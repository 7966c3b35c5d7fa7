package io.rockpool.cache;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers which keys were asked for of late, one 32-bit print a slot, so that the hot tier takes
 * only keys that come a second time: most misses of a large cache never do, and admitting each
 * would cost more than the read itself.
 */
final class Doorkeeper {
  /** The fewest slots; a table of a page costs nothing. */
  private static final int MIN_SLOTS = 1 << 10;

  /** The most slots, 16 MiB: beyond, each look is a cache miss that buys little. */
  private static final int MAX_SLOTS = 1 << 22;

  /**
   * Slots for each entry the tier can hold: a key may come again after that many others and still
   * be known.
   */
  private static final int SLOTS_PER_ENTRY = 2;

  private final AtomicIntegerArray prints;
  private final int mask;

  Doorkeeper(long hotEntries) {
    long wanted = Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, hotEntries * SLOTS_PER_ENTRY));
    int slots = Integer.highestOneBit((int) wanted - 1) << 1;
    this.prints = new AtomicIntegerArray(slots);
    this.mask = slots - 1;
  }

  /**
   * Whether a key of this hash came by before and was not displaced since; it is remembered from
   * now on.
   */
  boolean seen(int hash) {
    int print = hash * 0x9E3779B9;
    int slot = (print >>> 7 ^ print) & mask;
    if (prints.getPlain(slot) == print) {
      return true;
    }
    prints.setPlain(slot, print);
    return false;
  }
}

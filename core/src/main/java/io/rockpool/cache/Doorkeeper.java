package io.rockpool.cache;

import io.rockpool.internal.concurrent.Stripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Knows which keys were asked for of late, and which cannot be in the hot tier.
 *
 * <p>The first keeps out most misses of a large cache: a full tier takes only keys that come a
 * second time, for most never do, and admitting each would cost more than the read itself. The
 * second spares most writes a look into the tier's map, which is two or three places in memory that
 * no cache holds; here it is one, the same for both.
 *
 * <p>A slot is an int: the print of the last key that was asked for in the upper 24 bits, and in
 * the lower 8 how many of the slot's keys are inside. That number may be too high, never too low.
 * Slots lie on pages, each of which is there once one of its slots was written: a tier of a few
 * entries takes a few pages.
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

  private static final int INSIDE = 0xFF;

  /** Slots of a page, a quarter of a KiB: a tier of a thousand entries takes most pages already. */
  private static final int PAGE_SLOTS = 1 << 6;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(int[][].class);

  private final int[] @Nullable [] pages;
  private final int mask;

  Doorkeeper(long hotEntries) {
    long wanted = Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, hotEntries * SLOTS_PER_ENTRY));
    int count = Integer.highestOneBit((int) wanted - 1) << 1;
    this.pages = new int[count / PAGE_SLOTS][];
    this.mask = count - 1;
  }

  /**
   * Whether a key of this hash came by before and was not displaced since; it is remembered from
   * now on, or, where another thread was faster, not.
   */
  boolean seen(int hash) {
    int mixed = mix(hash);
    int[] page = writablePage(mixed & mask);
    int slot = mixed & PAGE_SLOTS - 1;
    int before = (int) SLOT.getVolatile(page, slot);
    int after = (mixed & ~INSIDE) | (before & INSIDE);
    if (before == after) {
      return true;
    }
    SLOT.weakCompareAndSetPlain(page, slot, before, after);
    return false;
  }

  /** Whether a key of this hash may be inside. */
  boolean mayBeInside(int hash) {
    int mixed = mix(hash);
    int[] page = page(mixed & mask);
    return page != null && ((int) SLOT.getVolatile(page, mixed & PAGE_SLOTS - 1) & INSIDE) != 0;
  }

  /** Counts a key in; before it is inside. */
  void enters(int hash) {
    count(hash, 1);
  }

  /** Counts a key out; once it is no longer inside. A slot that was ever full stays so. */
  void leaves(int hash) {
    count(hash, -1);
  }

  private void count(int hash, int change) {
    int mixed = mix(hash);
    int[] page = writablePage(mixed & mask);
    int slot = mixed & PAGE_SLOTS - 1;
    int before;
    do {
      before = (int) SLOT.getVolatile(page, slot);
    } while ((before & INSIDE) != INSIDE
        && !SLOT.weakCompareAndSet(page, slot, before, before + change));
  }

  private int @Nullable [] page(int slot) {
    return (int[]) PAGE.getAcquire(pages, slot / PAGE_SLOTS);
  }

  private int[] writablePage(int slot) {
    int[] page = page(slot);
    if (page != null) {
      return page;
    }
    int[] mine = new int[PAGE_SLOTS];
    int[] there = (int[]) PAGE.compareAndExchange(pages, slot / PAGE_SLOTS, null, mine);
    return there == null ? mine : there;
  }

  /** Spreads neighbours over the table; two keys of one slot and one print have the same hash. */
  private static int mix(int hash) {
    int mixed = Stripes.spread(hash);
    return mixed ^ mixed >>> 15;
  }
}

package io.rockpool.cache;

import io.rockpool.internal.concurrent.Stripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which keys were read recently, and knows which keys are surely not in the hot tier.
 *
 * <p>The first keeps most misses of a large cache out of a full tier: only a key's second read puts
 * its entry there, because most keys are read once, and admitting each would cost more than the
 * read itself. The second saves most writes an access to the tier's map, which is two or three
 * cache misses. Here it is one, the same for both.
 *
 * <p>A slot is an int. Its upper 24 bits are the print of the last key that was read, and its lower
 * 8 bits the number of the slot's keys in the tier. That number may be too high, never too low.
 * Slots are on pages. A page is allocated when one of its slots is first written, so a tier of a
 * few entries takes a few pages.
 */
final class Doorkeeper {
  /** The minimum number of slots: without pages they cost almost nothing. */
  private static final int MIN_SLOTS = 1 << 10;

  /**
   * The maximum number of slots, 16 MiB. With more, each access is a cache miss that gains little.
   */
  private static final int MAX_SLOTS = 1 << 22;

  /**
   * Slots for each entry of a full tier. So a key is still remembered after about as many other
   * keys.
   */
  private static final int SLOTS_PER_ENTRY = 2;

  private static final int INSIDE = 0xFF;

  /** Slots of a page, a quarter of a KiB. A tier of a thousand entries uses most pages already. */
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
   * Whether a key with this hash was read recently. It is remembered from now on, unless another
   * thread changes the slot at the same time.
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

  /** Whether a key with this hash may be in the tier. */
  boolean mayBeInside(int hash) {
    int mixed = mix(hash);
    int[] page = page(mixed & mask);
    return page != null && ((int) SLOT.getVolatile(page, mixed & PAGE_SLOTS - 1) & INSIDE) != 0;
  }

  /** Counts a key that is about to enter the tier. */
  void enters(int hash) {
    count(hash, 1);
  }

  /** Counts a key that has left the tier. A slot whose count reached its maximum keeps it. */
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

  /**
   * Spreads neighbouring hashes over the slots. A bijection: keys with the same slot and print have
   * the same hash.
   */
  private static int mix(int hash) {
    int mixed = Stripes.spread(hash);
    return mixed ^ mixed >>> 15;
  }
}

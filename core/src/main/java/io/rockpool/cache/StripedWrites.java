package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.internal.concurrent.Stripes;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brackets the writes of one cache, so that the hot tiers of all caches of its space stay
 * consistent with the store.
 *
 * <p>{@link #begin} hides the key in every tier before the store changes, and no tier accepts a key
 * of a {@link HotTierStripe} in which a write runs. So until {@link #end}, every read of the key
 * reads the store. {@code end} leaves the new entry in the tier of this cache. So no tier shows an
 * older entry than the store, and the reads of one thread never go backwards.
 *
 * <p>A write in a transaction ends with the transaction, and leaves the key in no tier.
 *
 * <p>A function that writes the key it decides on is rejected. Otherwise each decision would find
 * the entry changed by itself, and be repeated forever. Only repeated decisions are watched: a
 * write of the key by the deciding thread is then rejected. Writes cost almost nothing while no
 * decision is repeated.
 */
final class StripedWrites {
  private static final ConcurrentHashMap<Thread, Deciding> WATCHED = new ConcurrentHashMap<>();

  /** The result of {@link #begin} for a write that ends with its transaction. */
  private static final long ENDS_LATER = -2;

  private final HotKeysOf cache;
  private final SharedSpace shared;
  private final Engine engine;
  private final @Nullable HotTier hot;
  private final AtomicReferenceArray<@Nullable HotTierStripe> stripes;

  /** The keys of a space on which a thread decides again. */
  private record Deciding(SharedSpace shared, List<EntryKey> keys, @Nullable Deciding outer) {
    boolean isOn(SharedSpace space, EntryKey key) {
      return shared == space && keys.contains(key);
    }
  }

  StripedWrites(HotKeysOf cache, SharedSpace shared, Engine engine, @Nullable HotTier hot) {
    this.cache = cache;
    this.shared = shared;
    this.engine = engine;
    this.hot = hot;
    this.stripes = shared.stripes;
  }

  private HotTierStripe stripe(EntryKey key) {
    HotTierStripe used = stripes.get(Stripes.of(key.hashCode(), stripes.length()));
    return used == null ? shared.stripe(key) : used;
  }

  /** Calls a function that decides on keys, for the first time or {@code again}. */
  <R> R decide(boolean again, List<EntryKey> keys, Supplier<R> decision) {
    return again ? watch(keys, decision) : decision.get();
  }

  private <R> R watch(List<EntryKey> keys, Supplier<R> decision) {
    Thread thread = Thread.currentThread();
    Deciding outer = WATCHED.get(thread);
    WATCHED.put(thread, new Deciding(shared, keys, outer));
    try {
      return decision.get();
    } finally {
      if (outer == null) {
        WATCHED.remove(thread);
      } else {
        WATCHED.put(thread, outer);
      }
    }
  }

  /**
   * Called before each write of a key by an application. Returns true.
   *
   * @throws IllegalStateException if this thread is inside a repeated decision on the key
   */
  boolean permit(EntryKey key) {
    for (Deciding it = WATCHED.get(Thread.currentThread()); it != null; it = it.outer) {
      if (it.isOn(shared, key)) {
        throw new IllegalStateException(
            "Recursive update: a function changed the key that it decides on. Return the new value"
                + " from the function instead.");
      }
    }
    return true;
  }

  /**
   * Begins a write of a key, before the store changes; returns the argument of {@link #end}. If
   * this throws, no write has begun.
   */
  long begin(EntryKey key) {
    HotTierStripe stripe = stripe(key);
    long begun = stripe.begin();
    boolean done = false;
    try {
      boolean endsLater = engine.inTransaction();
      if (hot != null && endsLater) {
        hot.remove(key.hot());
      } else if (hot != null) {
        hot.hide(key.hot());
      }
      forgetElsewhere(key);
      if (endsLater) {
        engine.afterTransaction(
            () -> {
              try {
                stripe.end();
              } finally {
                Reference.reachabilityFence(key.bytes()); // until then the key is in use
              }
            });
      }
      done = true;
      return endsLater ? ENDS_LATER : begun;
    } finally {
      if (!done) {
        stripe.end();
      }
    }
  }

  /** Like {@link #begin} for each key. If this throws, no write has begun. */
  long[] beginAll(List<EntryKey> keys) {
    long[] begun = new long[keys.size()];
    int number = 0;
    try {
      for (EntryKey key : keys) {
        begun[number] = begin(key);
        number++;
      }
      return begun;
    } finally {
      if (number < begun.length) {
        endAll(keys.subList(0, number), begun, i -> null);
      }
    }
  }

  /**
   * Ends a write that left {@code entry}; null if it removed the entry, failed, or has an unknown
   * outcome. Never throws, because the store has already changed.
   */
  void end(EntryKey key, long begun, @Nullable HotEntry entry) {
    if (begun == ENDS_LATER) {
      return; // the end that begin has registered follows
    }
    HotTierStripe stripe = stripe(key);
    try {
      if (entry != null && shared.idleDeadlines.used) {
        shared.idleDeadlines.forgetBefore(key, entry);
      }
      if (hot != null) {
        settle(hot, stripe, key.hot(), begun, entry);
      }
    } catch (RuntimeException | Error e) {
      if (hot != null) {
        hot.clear(); // the store still has the entries
      }
    } finally {
      stripe.end();
    }
  }

  /** Like {@link #end} for each key. */
  void endAll(List<EntryKey> keys, long[] begun, IntFunction<@Nullable HotEntry> entries) {
    for (int i = 0; i < keys.size(); i++) {
      end(keys.get(i), begun[i], entries.apply(i));
    }
  }

  /** Updates the hot tier after a write; see {@link HotTierStripe}. */
  private static void settle(
      HotTier tier, HotTierStripe stripe, Object hotKey, long begun, @Nullable HotEntry entry) {
    boolean wanted = entry != null && tier.wants(hotKey);
    if (!wanted && !tier.holds(hotKey)) {
      return;
    }
    if (entry == null || !stripe.beginChange(begun)) {
      tier.remove(hotKey);
      return;
    }
    try {
      tier.put(hotKey, entry);
    } finally {
      stripe.endChange();
    }
  }

  /** The ticket for {@link #admit}. Take it before a record is read. */
  long ticket(EntryKey key) {
    return stripe(key).ticket();
  }

  /**
   * Runs {@code admitting}, which puts a read entry into the hot tier, if no write ran since the
   * ticket; returns whether it did.
   */
  boolean admit(EntryKey key, long ticket, Runnable admitting) {
    forgetOlder(key);
    return stripe(key).admit(ticket, admitting);
  }

  /**
   * Call it after the store was read and before the entry is shown. Another handle of the store may
   * have written the entry: then no tier of another cache may show an older one later. Costs
   * nothing if the store is not shared.
   */
  void forgetOlder(EntryKey key) {
    if (shared.changesElsewhere) {
      forgetElsewhere(key);
    }
  }

  /**
   * Call it after a key was read from the store and not admitted. Like {@link #forgetOlder}, for
   * the tier of this cache as well, and for reads that have begun and are not admitted yet.
   */
  void passed(EntryKey key) {
    if (shared.changesElsewhere) {
      end(key, begin(key), null);
    }
  }

  private void forgetElsewhere(EntryKey key) {
    for (HotKeysOf other : shared.caches) {
      if (other != cache) {
        other.forget(key.bytes());
      }
    }
  }
}

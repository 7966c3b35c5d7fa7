package io.rockpool.cache;

import io.rockpool.engine.Durability;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What all caches of one name in one store have in common. There is more than one only where the
 * same name is open through several class loaders; each then has a hot tier of its own, and a write
 * through one is told to the others.
 */
final class SharedSpace {
  /**
   * Two writes share a stripe, and then skip the hot tier, once in so many pairs; one costs some 80
   * bytes.
   */
  private static final int STRIPES = 256;

  final Space space;
  final IdleDeadlines idleDeadlines = new IdleDeadlines();
  final List<CacheEntries<?, ?>> caches = new CopyOnWriteArrayList<>();
  private final Stripe[] stripes = new Stripe[STRIPES];
  private final Space unsynced;

  SharedSpace(Space space) {
    this.space = space;
    this.unsynced = space.withDurability(Durability.BUFFERED);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  Stripe stripe(EntryKey key) {
    return stripes[stripeIndex(key)];
  }

  private static int stripeIndex(EntryKey key) {
    return (key.hash() * 0x9E3779B9) >>> 24;
  }

  /** The bytes of disk that the entries may take: the least that any cache says; 0 for no bound. */
  long diskBudgetBytes() {
    return caches.stream()
        .mapToLong(cache -> cache.diskBudgetBytes)
        .filter(b -> b > 0)
        .min()
        .orElse(0);
  }

  /**
   * Removes entries because their disk is needed; those in memory only if {@code all} are to go.
   * Stripe by stripe, as writes of a stripe leave nothing in memory while it runs.
   *
   * @return how many were removed
   */
  int evict(List<byte[]> keys, boolean all) {
    Map<Integer, List<EntryKey>> byStripe = new HashMap<>();
    for (byte[] bytes : keys) {
      EntryKey key = EntryKey.of(bytes, bytes, false);
      byStripe.computeIfAbsent(stripeIndex(key), index -> new ArrayList<>()).add(key);
    }
    int evicted = 0;
    for (Map.Entry<Integer, List<EntryKey>> some : byStripe.entrySet()) {
      evicted += evict(stripes[some.getKey()], some.getValue(), all);
    }
    for (CacheEntries<?, ?> cache : caches) {
      cache.counters.evictions.add(evicted);
    }
    return evicted;
  }

  private int evict(Stripe stripe, List<EntryKey> keys, boolean all) {
    long unused = stripe.begin();
    try {
      List<EntryKey> going = all ? keys : keys.stream().filter(key -> !isHot(key)).toList();
      unsynced.deleteAll(
          going.stream().map(key -> new RecordKey(key.bytes(), Space.NO_SORT_KEY)).toList());
      for (EntryKey key : going) {
        idleDeadlines.forget(key);
        caches.forEach(cache -> cache.forgetHot(key.bytes()));
      }
      return going.size();
    } finally {
      stripe.end();
    }
  }

  private boolean isHot(EntryKey key) {
    return caches.stream().anyMatch(cache -> cache.isHot(key.bytes()));
  }

  /**
   * Removes every record, and everything from every tier; writes that run at the same time leave
   * nothing in a tier.
   *
   * @param handle the handle of the cache that is cleared, which may have a durability of its own
   */
  void clear(Space handle) {
    for (CacheEntries<?, ?> cache : caches) {
      cache.loads.supersedeAll();
    }
    for (Stripe stripe : stripes) {
      stripe.begin();
    }
    try {
      handle.clear();
    } finally {
      idleDeadlines.clear();
      for (CacheEntries<?, ?> cache : caches) {
        cache.forgetHot();
      }
      for (Stripe stripe : stripes) {
        stripe.end();
      }
    }
  }
}

package io.rockpool.cache;

import io.rockpool.engine.Space;
import java.util.List;
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

  SharedSpace(Space space) {
    this.space = space;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  Stripe stripe(EntryKey key) {
    int hash = key.hash() * 0x9E3779B9;
    return stripes[hash >>> 24];
  }

  /**
   * Removes every record, and everything from every tier; writes that run at the same time leave
   * nothing in a tier.
   */
  void clear() {
    for (CacheEntries<?, ?> cache : caches) {
      cache.loads.supersedeAll();
    }
    for (Stripe stripe : stripes) {
      stripe.begin();
    }
    try {
      space.clear();
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

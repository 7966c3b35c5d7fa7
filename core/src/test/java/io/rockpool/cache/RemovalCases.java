package io.rockpool.cache;

import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.RunningLoad;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What changes a key, what is in flight meanwhile, and what must be left of both. */
final class RemovalCases {
  private RemovalCases() {}

  static final int OLD = 1;
  static final int LOADED = 2;
  static final int PUT = 7;

  /** No entry. */
  static final int GONE = 0;

  /**
   * A change of a key, what must be there if it met no entry, and what if it met the old one. Where
   * nothing is loaded, {@code LOADED} is what was there.
   */
  @SuppressWarnings("ImmutableEnumChecker") // functions
  enum Change {
    REMOVE((c, k) -> c.remove(k), GONE, GONE),
    REMOVE_THE_VALUE((c, k) -> c.remove(k, OLD), GONE, GONE),
    REMOVE_ANOTHER_VALUE((c, k) -> c.remove(k, 9), GONE, LOADED),
    GET_AND_REMOVE((c, k) -> c.getAndRemove(k), GONE, GONE),
    INVALIDATE((c, k) -> c.invalidate(k), GONE, GONE),
    INVALIDATE_ALL((c, k) -> c.invalidateAll(List.of(k, "none")), GONE, GONE),
    COMPUTE_NULL((c, k) -> c.compute(k, (key, value) -> null), GONE, GONE),
    COMPUTE_NULL_IF_PRESENT((c, k) -> c.computeIfPresent(k, (key, value) -> null), LOADED, GONE),
    MERGE_TO_NULL((c, k) -> c.merge(k, PUT, (one, other) -> null), PUT, GONE),
    DECIDE_REMOVE((c, k) -> Internals.cache(c).decide(k, there -> Decision.remove()), GONE, GONE),
    DECIDE_NO_LIFE(
        (c, k) -> Internals.cache(c).decide(k, there -> Decision.put(PUT, Duration.ZERO)),
        GONE,
        GONE),
    DECIDE_ALL_REMOVE(
        (c, k) ->
            Internals.cache(c).decideAll(List.of(k, "none"), (key, there) -> Decision.remove()),
        GONE,
        GONE),
    EXPIRE_NOW((c, k) -> c.expireAfter(k, Duration.ZERO), GONE, GONE),
    PUT_WITHOUT_LIFE((c, k) -> c.put(k, PUT, Duration.ZERO), GONE, GONE),
    CLEAR((c, k) -> c.clear(), GONE, GONE),
    ITERATE_AND_REMOVE(RemovalCases::removeByIterator, LOADED, GONE),
    GET((c, k) -> c.get(k), LOADED, LOADED),
    DECIDE_KEEP((c, k) -> Internals.cache(c).decide(k, there -> Decision.keep()), LOADED, LOADED),
    DECIDE_ALL_ACCESS(
        (c, k) ->
            Internals.cache(c).decideAll(List.of(k, "none"), (key, there) -> Decision.access()),
        LOADED,
        LOADED),
    EXPIRE_LATER((c, k) -> c.expireAfter(k, Duration.ofDays(1)), LOADED, OLD),
    REPLACE((c, k) -> c.replace(k, PUT), LOADED, PUT),
    REPLACE_ANOTHER_VALUE((c, k) -> c.replace(k, 9, PUT), LOADED, LOADED),
    PUT_IF_ABSENT((c, k) -> c.putIfAbsent(k, PUT), PUT, LOADED),
    PUT_VALUE((c, k) -> c.put(k, PUT), PUT, PUT),
    PUT_WITH_A_TTL((c, k) -> c.put(k, PUT, Duration.ofDays(1)), PUT, PUT),
    PUT_ALL((c, k) -> c.putAll(Map.of(k, PUT)), PUT, PUT),
    GET_AND_PUT((c, k) -> c.getAndPut(k, PUT), PUT, PUT),
    MERGE((c, k) -> c.merge(k, PUT, (one, other) -> other), PUT, PUT),
    DECIDE_PUT((c, k) -> Internals.cache(c).decide(k, there -> Decision.put(PUT)), PUT, PUT),
    DECIDE_ALL_PUT(
        (c, k) ->
            Internals.cache(c)
                .decideAll(List.of(k, "put-sibling"), (key, there) -> Decision.put(PUT)),
        PUT,
        PUT),
    LOAD_BESIDE(RemovalCases::loadBeside, PUT, PUT),
    COMPUTE((c, k) -> c.compute(k, (key, value) -> PUT), PUT, PUT),
    REMOVE_AND_PUT(
        (c, k) -> {
          c.remove(k);
          c.put(k, PUT);
        },
        PUT,
        PUT);

    final BiConsumer<PersistentCache<String, Integer>, String> how;
    private final int ifAbsent;
    private final int ifPresent;

    Change(BiConsumer<PersistentCache<String, Integer>, String> how, int ifAbsent, int ifPresent) {
      this.how = how;
      this.ifAbsent = ifAbsent;
      this.ifPresent = ifPresent;
    }

    boolean joinsTransactions() {
      return this != CLEAR && this != ITERATE_AND_REMOVE;
    }

    /** What must be there before the operation in flight ends. */
    int meanwhile(InFlight inFlight, Scope scope) {
      int there = inFlight.meetsEntry() ? OLD : GONE;
      int left = inFlight.meetsEntry() ? ifPresent : ifAbsent;
      return left == LOADED || scope == Scope.ROLLED_BACK ? there : left;
    }

    /** What must be there once the operation in flight has ended. */
    int left(InFlight inFlight, Scope scope) {
      if (inFlight.removesLast()) {
        return GONE;
      }
      if (inFlight.isEviction()) {
        return meanwhile(inFlight, scope);
      }
      int left = inFlight.meetsEntry() ? ifPresent : ifAbsent;
      if (scope != Scope.ROLLED_BACK) {
        return left;
      }
      boolean supersedes = left == GONE || left == PUT;
      return supersedes ? meanwhile(inFlight, scope) : LOADED;
    }
  }

  /** As a layer above the cache does it, with a load that begins after the one in flight. */
  static void loadBeside(PersistentCache<String, Integer> cache, String key) {
    try (RunningLoad load = Internals.cache(cache).beginLoad(key)) {
      Internals.cache(cache).decide(key, there -> Decision.put(PUT).unlessSuperseded(load));
    }
  }

  static void removeByIterator(PersistentCache<String, Integer> cache, String key) {
    Iterator<Map.Entry<String, Integer>> all = cache.iterator();
    while (all.hasNext()) {
      if (all.next().getKey().equals(key)) {
        all.remove();
      }
    }
  }

  /** What the change is part of. A change that is rolled back leaves at most a load unstored. */
  enum Scope {
    ALONE,
    COMMITTED,
    ROLLED_BACK
  }

  /** What is in flight while the change is made. */
  enum InFlight {
    LOAD,
    LOAD_ALL,
    REFRESH_OF_A_DUE_VALUE,
    REFRESH_OF_WHAT_EXPIRED_MEANWHILE,
    EVICTION_FROM_MEMORY,
    EVICTION_FROM_DISK_BEFORE_ITS_WRITE,
    EVICTION_FROM_DISK_AFTER_ITS_WRITE,
    LOAD_BEGUN_IN_THE_TRANSACTION,
    LOAD_THAT_WAITS_FOR_THE_TRANSACTION,
    EVICTION_FROM_DISK_THAT_WAITS_FOR_THE_TRANSACTION;

    boolean needsTransaction() {
      return compareTo(LOAD_BEGUN_IN_THE_TRANSACTION) >= 0;
    }

    boolean waitsForTransaction() {
      return compareTo(LOAD_THAT_WAITS_FOR_THE_TRANSACTION) >= 0;
    }

    boolean isRefresh() {
      return this == REFRESH_OF_A_DUE_VALUE || this == REFRESH_OF_WHAT_EXPIRED_MEANWHILE;
    }

    boolean isEviction() {
      return this == EVICTION_FROM_MEMORY
          || this == EVICTION_FROM_DISK_AFTER_ITS_WRITE
          || removesLast();
    }

    /** Whether it removes the entry after the change was made. */
    boolean removesLast() {
      return this == EVICTION_FROM_DISK_BEFORE_ITS_WRITE
          || this == EVICTION_FROM_DISK_THAT_WAITS_FOR_THE_TRANSACTION;
    }

    /** Whether the change meets the old entry. */
    boolean meetsEntry() {
      return this == REFRESH_OF_A_DUE_VALUE
          || (isEviction() && this != EVICTION_FROM_DISK_AFTER_ITS_WRITE);
    }
  }
}

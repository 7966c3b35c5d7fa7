package io.rockpool.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.rockpool.engine.Expiry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link HotTier} keeps between two clears: Caffeine, and the {@link Doorkeeper} who counts
 * its keys in and out.
 */
final class HotRoom {
  /**
   * While nothing is evicted, one of so many reads is told to Caffeine, at random; a power of two.
   * A read that Caffeine need not note costs less, and it has nothing to choose from them.
   */
  private static final int READS_PER_SAMPLE = 16;

  /**
   * For so many samples after an eviction every read is told: only where fewer than one in 16,384
   * evicts, which nobody can improve much on, does Caffeine choose by samples.
   */
  private static final int ATTENTIVE_SAMPLES = 1 << 10;

  /** Stands in the place of an entry that is hidden. */
  private static final Object HIDDEN = new Object();

  /** Entries; those that last, where no more of them is needed, as their payloads alone. */
  private final Cache<Object, Object> entries;

  private final Policy<Object, Object> policy;

  /** Whether all entries are kept as such, since more is wanted of them than their payloads. */
  private final boolean keepsAll;

  /** Whether there may be anything else than payloads. Set before the first that is else. */
  private volatile boolean mixed;

  private final Doorkeeper doorkeeper;
  private volatile boolean full;

  /** Samples left until reads are sampled again. Threads may lose each other's counts. */
  private int attention;

  /** The last key that Caffeine evicted, or began to: it evicts one at a time, under its lock. */
  private @Nullable Object evicted;

  HotRoom(long maxEntries, long maxBytes, long typicalEntries, boolean refreshes) {
    this.doorkeeper = new Doorkeeper(typicalEntries);
    boolean weighs = maxEntries == 0;
    this.keepsAll = weighs || refreshes;
    // Who puts does Caffeine's small work too: to wake another thread for it costs more.
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder().executor(Runnable::run).evictionListener(this::evicts);
    this.entries =
        weighs
            ? builder
                .maximumWeight(maxBytes)
                .weigher((key, entry) -> entry == HIDDEN ? 0 : ((HotEntry) entry).weight())
                .build()
            : builder.maximumSize(maxEntries).build();
    this.policy = entries.policy();
  }

  /**
   * Called when an entry is about to go but still there: it is counted out at the next one, when it
   * is gone for sure.
   */
  private void evicts(@Nullable Object key, @Nullable Object entry, RemovalCause cause) {
    if (evicted != null) {
      doorkeeper.leaves(evicted.hashCode());
    }
    evicted = key;
    full = true;
    if (attention != ATTENTIVE_SAMPLES) {
      attention = ATTENTIVE_SAMPLES;
    }
  }

  @Nullable HotEntry get(Object key) {
    Object found = find(key);
    if (found == null || found == HIDDEN) {
      return null;
    }
    return found instanceof HotEntry entry ? entry : HotEntry.lasting(found);
  }

  /** The payload of an entry that is not past. Touches nothing of it. */
  @Nullable Object payload(Object key, InstantSource clock) {
    Object found = find(key);
    if (found == null || found == HIDDEN) {
      return null;
    }
    if (!mixed || !(found instanceof HotEntry entry)) {
      return found;
    }
    return entry.isPast(clock) ? null : entry.payload();
  }

  private @Nullable Object find(Object key) {
    int left = attention;
    if ((ThreadLocalRandom.current().nextInt() & READS_PER_SAMPLE - 1) == 0) {
      if (left > 0) {
        attention = left - 1;
      }
    } else if (left == 0) {
      return policy.getIfPresentQuietly(key);
    }
    return entries.getIfPresent(key);
  }

  boolean mayHold(Object key) {
    return doorkeeper.mayBeInside(key.hashCode());
  }

  boolean holds(Object key) {
    return mayHold(key) && entries.asMap().containsKey(key);
  }

  boolean wants(Object key) {
    return !full || doorkeeper.seen(key.hashCode());
  }

  void put(Object key, HotEntry entry) {
    int hash = key.hashCode();
    doorkeeper.enters(hash);
    boolean plain = !keepsAll && entry.deadlineMillis() == Expiry.NEVER;
    if (!plain && !mixed) {
      mixed = true;
    }
    if (entries.asMap().put(key, plain ? entry.payload() : entry) != null) {
      doorkeeper.leaves(hash);
    }
  }

  void hide(Object key) {
    if (mayHold(key)) {
      entries.asMap().replace(key, HIDDEN);
    }
  }

  void remove(Object key) {
    if (mayHold(key) && entries.asMap().remove(key) != null) {
      doorkeeper.leaves(key.hashCode());
    }
  }

  /** Whether something was evicted, or nearly so: it holds as much as it may. */
  boolean isFull() {
    return full;
  }

  /** The keys, the most used first; no more than so many. Takes Caffeine's lock for a while. */
  List<Object> hottest(int most) {
    return policy
        .eviction()
        .orElseThrow()
        .hottest(hot -> hot.limit(most).map(Map.Entry::getKey).toList());
  }

  long size() {
    return entries.estimatedSize();
  }
}

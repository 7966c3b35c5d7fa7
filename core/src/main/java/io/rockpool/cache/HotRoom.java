package io.rockpool.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.rockpool.engine.Expiry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
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

  /** What an entry is taken to weigh when a room bounded by bytes chooses its doorkeeper's size. */
  private static final long TYPICAL_ENTRY_BYTES = 512;

  /**
   * A room that shares a budget has a doorkeeper for as much as all would have if they had the
   * same, but for no more than this: it is there although the room may stay small.
   */
  private static final long MOST_EQUAL_BYTES = 32L << 20;

  /** A room that became so many times as large, or small, remembers as many more keys, or fewer. */
  private static final int RECENT_FACTOR = 4;

  /** Stands in the place of an entry that is hidden. */
  private static final Object HIDDEN = new Object();

  /** Entries; those that last, where no more of them is needed, as their payloads alone. */
  private final Cache<Object, Object> entries;

  private final Policy<Object, Object> policy;

  /** Whether all entries are kept as such, since more is wanted of them than their payloads. */
  private final boolean keepsAll;

  /** Whether there may be anything else than payloads. Set before the first that is else. */
  private volatile boolean mixed;

  private final Policy.Eviction<Object, Object> eviction;

  /** Knows which keys cannot be inside; and, while {@link #recent} is the same, who came by. */
  private final Doorkeeper doorkeeper;

  /** How many entries the doorkeeper was made for. */
  private final long typicalEntries;

  /** Knows who came by: of a size that fits the room's, which may change. */
  private volatile Doorkeeper recent;

  private volatile long recentEntries;
  private volatile boolean full;

  /** What bounds the room; null where that never changes. */
  private final @Nullable HeapShare share;

  /** Samples left until reads are sampled again. Threads may lose each other's counts. */
  private int attention;

  /** The last key that Caffeine evicted, or began to: it evicts one at a time, under its lock. */
  private @Nullable Object evicted;

  /** A room bounded by entries or, where {@code maxEntries} is 0, by bytes. */
  HotRoom(long maxEntries, long maxBytes, boolean refreshes) {
    this(maxEntries, maxBytes, typicalEntries(maxEntries, maxBytes), refreshes, null);
  }

  /**
   * A room of the size of its share of a budget.
   *
   * @param uses counts what the budget is divided by
   * @param shortage run where the budget is to be divided anew
   */
  HotRoom(HeapBudget budget, LongSupplier uses, Runnable shortage, boolean refreshes) {
    this(
        0,
        0,
        typicalEntries(0, Math.min(MOST_EQUAL_BYTES, budget.equalBytes())),
        refreshes,
        room -> new HeapShare(budget, room, uses, shortage));
    budget.add(Objects.requireNonNull(share));
  }

  private HotRoom(
      long maxEntries,
      long maxBytes,
      long typicalEntries,
      boolean refreshes,
      @Nullable Function<HotRoom, HeapShare> shares) {
    this.typicalEntries = typicalEntries;
    this.doorkeeper = new Doorkeeper(typicalEntries);
    this.recent = doorkeeper;
    this.recentEntries = typicalEntries;
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
    this.eviction = policy.eviction().orElseThrow();
    this.share = shares == null ? null : shares.apply(this);
  }

  private static long typicalEntries(long maxEntries, long maxBytes) {
    return maxEntries > 0 ? maxEntries : maxBytes / TYPICAL_ENTRY_BYTES;
  }

  /** Makes it larger, or smaller and evicts at once what is too much. */
  void resize(long maxBytes) {
    boolean grows = maxBytes > eviction.getMaximum();
    eviction.setMaximum(maxBytes);
    if (grows) {
      full = false;
    }
    long typical = Math.max(typicalEntries, typicalEntries(0, maxBytes));
    if (typical > recentEntries * RECENT_FACTOR || typical * RECENT_FACTOR < recentEntries) {
      recent = typical == typicalEntries ? doorkeeper : new Doorkeeper(typical);
      recentEntries = typical;
    }
  }

  /** Gives back its share, when nothing leads here any more. */
  void close() {
    if (share != null) {
      share.close();
    }
  }

  /** What its entries weigh, or 0 where nobody weighs them. Takes Caffeine's lock for a while. */
  long bytes() {
    return eviction.weightedSize().orElse(0);
  }

  /** What they may weigh, or 0 where nobody weighs them. */
  long maxBytes() {
    return eviction.isWeighted() ? eviction.getMaximum() : 0;
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
    full = share == null || share.isHungry();
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
    return !full || recent.seen(key.hashCode());
  }

  void put(Object key, HotEntry entry) {
    if (share != null) {
      share.willPut(entry.weight());
    }
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
    return eviction.hottest(hot -> hot.limit(most).map(Map.Entry::getKey).toList());
  }

  long size() {
    return entries.estimatedSize();
  }
}

package io.rockpool.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.engine.HeapUser;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a cache keeps in memory. Any thread may read them. A thread that writes an entry
 * to the store, or puts one here, follows the rules of its key's {@link HotTierStripe}.
 *
 * <p>The tier does not expire entries. Each entry has its own deadline, which its reader checks. An
 * expired entry stays until it is read or evicted.
 */
final class HotTier {
  private final Supplier<Room> rooms;

  /** The budget that the tier has a share of; null if the tier has its own bound. */
  private final @Nullable HeapBudget budget;

  private boolean closed;

  /** Whether puts have no effect for now. */
  private boolean suspended;

  /** Null if nothing was put since the last clear. */
  private volatile @Nullable Room room;

  /**
   * A tier bounded by entries or, if {@code maxEntries} is 0, by bytes.
   *
   * @param refreshes whether entries that never expire are stored with more than their payloads,
   *     for their refresh times or because reads move deadlines
   */
  HotTier(long maxEntries, long maxBytes, boolean refreshes) {
    this.rooms = () -> new Room(maxEntries, maxBytes, refreshes);
    this.budget = null;
  }

  /**
   * A tier that has a share of a budget while it contains entries.
   *
   * @param uses counts the uses by which the budget is divided
   * @param shortage called when the budget must be divided again
   */
  HotTier(HeapBudget budget, LongSupplier uses, Runnable shortage, boolean refreshes) {
    this.rooms = () -> new Room(budget, uses, shortage, refreshes);
    this.budget = budget;
    budget.tierOpened();
  }

  /** An entry, expired or not, unless one of its tags was invalidated. */
  @Nullable HotEntry get(Object key) {
    HotEntry entry = peek(key);
    EntryTags tags = entry == null ? null : entry.tags();
    return tags != null && tags.hasEndedInMemory() ? null : entry;
  }

  /** An entry, expired or invalidated or not. No I/O. */
  @Nullable HotEntry peek(Object key) {
    Room now = room;
    Object found = now == null ? null : now.find(key);
    if (found == null || found == Room.HIDDEN) {
      return null;
    }
    return found instanceof HotEntry entry ? entry : HotEntry.lasting(found);
  }

  /** The payload of an entry that has not expired. */
  @Nullable Object payload(Object key, InstantSource clock) {
    Room now = room;
    Object found = now == null ? null : now.find(key);
    if (now == null || found == null || found == Room.HIDDEN) {
      return null;
    }
    if (!now.mixed || !(found instanceof HotEntry entry)) {
      return found;
    }
    EntryTags tags = entry.tags();
    return entry.isPast(clock) || (tags != null && tags.hasEndedInMemory())
        ? null
        : entry.payload();
  }

  /** Whether there may be an entry: one access to memory. */
  boolean mayHold(Object key) {
    Room now = room;
    return now != null && now.mayHold(key);
  }

  /**
   * Whether there is an entry, hidden or not. Once this is false, {@link #get} finds none until the
   * next put.
   */
  boolean holds(Object key) {
    Room now = room;
    return now != null && now.mayHold(key) && now.entries.asMap().containsKey(key);
  }

  /** Whether an entry should be put: the tier is not full, or its key was read before recently. */
  boolean wants(Object key) {
    Room now = room;
    return now == null || !now.full || now.recent.seen(key.hashCode());
  }

  /** Puts an entry, unless the tier is closed or suspended. */
  void put(Object key, HotEntry entry) {
    Room now = room;
    if (now == null) {
      now = openRoom();
    }
    if (now != null) {
      now.put(key, entry);
    }
  }

  private synchronized @Nullable Room openRoom() {
    if (room == null && !closed && !suspended) {
      room = rooms.get();
    }
    return room;
  }

  /** Whether nothing was put since the last clear. */
  boolean isEmpty() {
    return room == null;
  }

  /**
   * Makes an entry unreadable, and keeps its place for the next put or remove. This is cheaper than
   * removing it before a put, which moves the entry within Caffeine.
   */
  void hide(Object key) {
    Room now = room;
    if (now != null && now.mayHold(key)) {
      now.entries.asMap().replace(key, Room.HIDDEN);
    }
  }

  void remove(Object key) {
    Room now = room;
    if (now != null && now.mayHold(key) && now.entries.asMap().remove(key) != null) {
      now.doorkeeper.leaves(key.hashCode());
    }
  }

  /** Removes all entries. O(1): the garbage collector frees them. */
  synchronized void clear() {
    Room before = room;
    room = null;
    if (before != null && before.share != null) {
      before.share.close();
    }
  }

  /** Removes all entries; puts have no effect until {@link #resume}. */
  synchronized void suspend() {
    suspended = true;
    clear();
  }

  synchronized void resume() {
    suspended = false;
  }

  synchronized boolean isSuspended() {
    return suspended;
  }

  /** Removes all entries; later puts have no effect. */
  synchronized void close() {
    clear();
    if (!closed && budget != null) {
      budget.tierClosed();
    }
    closed = true;
  }

  /** Whether another entry would evict one. */
  boolean isFull() {
    Room now = room;
    return now != null && now.full;
  }

  /** Up to {@code most} keys, the most used first. O(most), under Caffeine's lock. */
  List<Object> hottest(int most) {
    Room now = room;
    return now == null
        ? List.of()
        : now.eviction.hottest(hot -> hot.limit(most).map(Map.Entry::getKey).toList());
  }

  /** The current size in entries and bytes. Takes Caffeine's lock for a short time. */
  HotMemory memory() {
    Room now = room;
    return now == null
        ? new HotMemory(0, 0, 0, budget != null)
        : new HotMemory(now.entries.estimatedSize(), now.bytes(), now.maxBytes(), budget != null);
  }

  long size() {
    Room now = room;
    return now == null ? 0 : now.entries.estimatedSize();
  }

  /** The contents between two clears: Caffeine, and a {@link Doorkeeper} that counts the keys. */
  static final class Room implements HeapUser {
    /**
     * While nothing is evicted, Caffeine records one in this many reads, chosen at random; a power
     * of two. An unrecorded read costs less, and Caffeine needs reads only to choose what to evict.
     */
    private static final int READS_PER_SAMPLE = 16;

    /**
     * After an eviction, every read is recorded until this many samples have passed. So Caffeine
     * chooses by samples only if fewer than one in 16,384 reads leads to an eviction.
     */
    private static final int ATTENTIVE_SAMPLES = 1 << 10;

    /**
     * The assumed weight of an entry, for the size of the doorkeeper of a room with a byte bound.
     */
    private static final long TYPICAL_ENTRY_BYTES = 512;

    /**
     * The first doorkeeper of a room with a share of a budget fits an equal share, but at most this
     * many bytes, because the room may stay small.
     */
    private static final long MOST_EQUAL_BYTES = 32L << 20;

    /** A room that grows or shrinks by this factor gets another {@link #recent}. */
    private static final int RECENT_FACTOR = 4;

    /** Replaces a hidden entry. */
    static final Object HIDDEN = new Object();

    /** Entries. If nothing else is needed of an entry that never expires, its payload alone. */
    private final Cache<Object, Object> entries;

    private final Policy<Object, Object> policy;
    private final Policy.Eviction<Object, Object> eviction;

    /** Whether no entry is stored as its payload alone. */
    private final boolean keepsAll;

    /** Whether there may be anything but payloads. Set before the first such put. */
    private volatile boolean mixed;

    /** Knows which keys are surely absent. */
    private final Doorkeeper doorkeeper;

    /** The number of entries that {@link #doorkeeper} was created for. */
    private final long typicalEntries;

    /** Remembers which keys were read recently. Its size follows the room's. */
    private volatile Doorkeeper recent;

    private volatile long recentEntries;
    private volatile boolean full;

    /** Bounds the room; null if the bound never changes. */
    private final @Nullable HeapShare share;

    /** Samples until reads are sampled again. Threads may overwrite each other's counts. */
    private int attention;

    /** The last key whose eviction began. Caffeine evicts one at a time, under its lock. */
    private @Nullable Object evicted;

    private Room(long maxEntries, long maxBytes, boolean refreshes) {
      this(maxEntries, maxBytes, typicalEntries(maxEntries, maxBytes), refreshes, null);
    }

    private Room(HeapBudget budget, LongSupplier uses, Runnable shortage, boolean refreshes) {
      this(
          0,
          0,
          typicalEntries(0, Math.min(MOST_EQUAL_BYTES, budget.equalBytes())),
          refreshes,
          room -> new HeapShare(budget, room, uses, shortage));
      budget.add(Objects.requireNonNull(share));
    }

    private Room(
        long maxEntries,
        long maxBytes,
        long typicalEntries,
        boolean refreshes,
        @Nullable Function<Room, HeapShare> shares) {
      this.typicalEntries = typicalEntries;
      this.doorkeeper = new Doorkeeper(typicalEntries);
      this.recent = doorkeeper;
      this.recentEntries = typicalEntries;
      boolean weighs = maxEntries == 0;
      this.keepsAll = weighs || refreshes;
      // The putting thread does Caffeine's maintenance: waking another thread would cost more.
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

    @Override
    public void resize(long maxBytes) {
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

    /**
     * The weight of the entries; 0 for a room bounded by entries. Takes Caffeine's lock for a short
     * time.
     */
    @Override
    public long bytes() {
      entries.cleanUp(); // Caffeine weighs some time after a put
      return eviction.weightedSize().orElse(0);
    }

    private long maxBytes() {
      return eviction.isWeighted() ? eviction.getMaximum() : 0;
    }

    /**
     * Caffeine calls this before it removes an entry. So the doorkeeper counts the key out at the
     * next call, when the entry is surely removed.
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

    private boolean mayHold(Object key) {
      return doorkeeper.mayBeInside(key.hashCode());
    }

    private void put(Object key, HotEntry entry) {
      if (share != null) {
        share.willPut(entry.weight());
      }
      int hash = key.hashCode();
      doorkeeper.enters(hash);
      boolean plain = !keepsAll && entry.deadlineMillis() == Expiry.NEVER && entry.tags() == null;
      if (!plain && !mixed) {
        mixed = true;
      }
      if (entries.asMap().put(key, plain ? entry.payload() : entry) != null) {
        doorkeeper.leaves(hash);
      }
    }
  }
}

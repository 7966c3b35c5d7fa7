package io.rockpool.spring;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.CacheRefresh;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a cache behaves, as far as it is said: null leaves a point to the manager's defaults, and to
 * the library's where these say nothing either. Immutable: each method returns a configuration that
 * differs in one point.
 *
 * @param ttl how long an entry lives since it was last written; for ever if neither this nor {@code
 *     tti} is said
 * @param tti how long an entry lives since it was last written or read, but no longer than {@code
 *     ttl}, if that is said, too
 * @param nullTtl how long a null lives since it was written; zero keeps none; as other values if
 *     not said
 * @param softTtl how old an entry may become before it is refreshed, while it is still served
 * @param refreshAhead the last part of an entry's life in which it is refreshed, too
 * @param jitter the most by which an entry's life is shortened at random, as a part of it
 * @param warmRestart whether what is in memory is brought back after a restart; it is if not said
 * @param onUnencodable what is done with a value that cannot be encoded: unless it is said, it is
 *     returned and not cached
 * @param hotEntries how many entries are kept in memory, whatever their size; 0 keeps none
 * @param hotBytes how many bytes of entries, as encoded and with their overhead, are kept in
 *     memory; 0 keeps none; a share of the heap budget if neither is said
 * @param diskBudgetBytes about how many bytes of disk the entries may take; beyond that some are
 *     evicted in the background
 * @param maximumSize how many entries there may be; beyond that some are evicted in the background
 * @param durability what writes survive; the store's if not said
 * @param keyPrefix what is put in front of the cache's name in the store, such as {@code shop/}
 */
public record RockpoolCacheConfiguration(
    @Nullable Duration ttl,
    @Nullable Duration tti,
    @Nullable Duration nullTtl,
    @Nullable Duration softTtl,
    @Nullable Double refreshAhead,
    @Nullable Double jitter,
    @Nullable Boolean warmRestart,
    @Nullable OnUnencodable onUnencodable,
    @Nullable Long hotEntries,
    @Nullable Long hotBytes,
    @Nullable Long diskBudgetBytes,
    @Nullable Long maximumSize,
    @Nullable Durability durability,
    @Nullable String keyPrefix) {
  private static final RockpoolCacheConfiguration UNSAID =
      new RockpoolCacheConfiguration(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null);

  /**
   * Checks what is said.
   *
   * @throws IllegalArgumentException if a number or duration is out of its range, or if both of a
   *     pair are said of which there can be one
   */
  public RockpoolCacheConfiguration {
    requireOneOf("hotEntries", hotEntries, "hotBytes", hotBytes);
    requirePositive("ttl", ttl);
    requirePositive("tti", tti);
    if (nullTtl != null && nullTtl.isNegative()) {
      throw new IllegalArgumentException(
          "nullTtl is " + nullTtl + "; give zero to keep no nulls, or more.");
    }
    requirePositive("softTtl", softTtl);
    requireFraction("refreshAhead", refreshAhead);
    requireFraction("jitter", jitter);
    requireNotNegative("hotEntries", hotEntries);
    requireNotNegative("hotBytes", hotBytes);
    requirePositive("diskBudgetBytes", diskBudgetBytes);
    requirePositive("maximumSize", maximumSize);
  }

  /** A configuration that says nothing. */
  public static RockpoolCacheConfiguration unsaid() {
    return UNSAID;
  }

  /** With entries that live this long since they were last written, or less if tti says so. */
  public RockpoolCacheConfiguration ttl(Duration newTtl) {
    Objects.requireNonNull(newTtl, "newTtl");
    return with(draft -> draft.ttl = newTtl);
  }

  /** With entries that live this long since they were last written or read, if ttl lets them. */
  public RockpoolCacheConfiguration tti(Duration newTti) {
    Objects.requireNonNull(newTti, "newTti");
    return with(draft -> draft.tti = newTti);
  }

  /** With nulls that live this long since they were written. */
  public RockpoolCacheConfiguration nullTtl(Duration newNullTtl) {
    Objects.requireNonNull(newNullTtl, "newNullTtl");
    return with(draft -> draft.nullTtl = newNullTtl);
  }

  /**
   * With entries that are refreshed once they are older than this: a read still returns the value
   * at once, and has it loaded anew in the background, by the loader it brings, or by the
   * {@code @Cacheable} method it was made for, see {@link CacheableRefresher}. If that fails, the
   * value is served until it expires; if the key is put or evicted meanwhile, that stays. See
   * {@link io.rockpool.cache.CacheRefresh}.
   */
  public RockpoolCacheConfiguration softTtl(Duration newSoftTtl) {
    Objects.requireNonNull(newSoftTtl, "newSoftTtl");
    return with(draft -> draft.softTtl = newSoftTtl);
  }

  /**
   * With entries that are refreshed so in the last part of their lives, too: 0.2 is the last fifth,
   * 0 none.
   */
  public RockpoolCacheConfiguration refreshAhead(double fraction) {
    return with(draft -> draft.refreshAhead = fraction);
  }

  /**
   * With entries whose lives are shortened at random by up to this part of them, so that those
   * written together do not expire together; 0 for none.
   */
  public RockpoolCacheConfiguration jitter(double fraction) {
    return with(draft -> draft.jitter = fraction);
  }

  /**
   * With what is in memory brought back after a restart, in the background, or not; see {@link
   * CacheOptions#warmRestart}.
   */
  public RockpoolCacheConfiguration warmRestart(boolean warm) {
    return with(draft -> draft.warmRestart = warm);
  }

  /**
   * With this answer to a value that cannot be encoded, such as an entity with a proxy that nobody
   * has initialised. Skipped unless said: the method has run, and its caller gets what it returned.
   */
  public RockpoolCacheConfiguration onUnencodable(OnUnencodable action) {
    Objects.requireNonNull(action, "action");
    return with(draft -> draft.onUnencodable = action);
  }

  /** With up to this many entries in memory; says nothing of bytes. */
  public RockpoolCacheConfiguration hotEntries(long newHotEntries) {
    return with(
        draft -> {
          draft.hotEntries = newHotEntries;
          draft.hotBytes = null;
        });
  }

  /** With entries of up to this many bytes in memory; says nothing of their number. */
  public RockpoolCacheConfiguration hotBytes(long newHotBytes) {
    return with(
        draft -> {
          draft.hotEntries = null;
          draft.hotBytes = newHotBytes;
        });
  }

  /**
   * With entries that take about this many bytes of disk at most: beyond that some are evicted in
   * the background, those in memory last; see {@link CacheOptions#diskBudgetBytes(long)}.
   */
  public RockpoolCacheConfiguration diskBudgetBytes(long bytes) {
    return with(draft -> draft.diskBudgetBytes = bytes);
  }

  /**
   * With up to this many entries: beyond that some are evicted in the background, those in memory
   * last; see {@link CacheOptions#maximumSize(long)}.
   */
  public RockpoolCacheConfiguration maximumSize(long entries) {
    return with(draft -> draft.maximumSize = entries);
  }

  /**
   * With writes of this durability; single ones may have another, see {@link
   * io.rockpool.Rockpool#withDurability}.
   */
  public RockpoolCacheConfiguration durability(Durability newDurability) {
    Objects.requireNonNull(newDurability, "newDurability");
    return with(draft -> draft.durability = newDurability);
  }

  /** With this in front of the cache's name in the store. */
  public RockpoolCacheConfiguration keyPrefix(String newKeyPrefix) {
    Objects.requireNonNull(newKeyPrefix, "newKeyPrefix");
    return with(draft -> draft.keyPrefix = newKeyPrefix);
  }

  /**
   * What this says, and what {@code defaults} say where it says nothing. Of ttl and tti, and of
   * entries and bytes, one that is said here replaces both.
   */
  public RockpoolCacheConfiguration over(RockpoolCacheConfiguration defaults) {
    boolean saysExpiry = ttl != null || tti != null;
    boolean saysMemory = hotEntries != null || hotBytes != null;
    return new RockpoolCacheConfiguration(
        saysExpiry ? ttl : defaults.ttl,
        saysExpiry ? tti : defaults.tti,
        nullTtl != null ? nullTtl : defaults.nullTtl,
        softTtl != null ? softTtl : defaults.softTtl,
        refreshAhead != null ? refreshAhead : defaults.refreshAhead,
        jitter != null ? jitter : defaults.jitter,
        warmRestart != null ? warmRestart : defaults.warmRestart,
        onUnencodable != null ? onUnencodable : defaults.onUnencodable,
        saysMemory ? hotEntries : defaults.hotEntries,
        saysMemory ? hotBytes : defaults.hotBytes,
        diskBudgetBytes != null ? diskBudgetBytes : defaults.diskBudgetBytes,
        maximumSize != null ? maximumSize : defaults.maximumSize,
        durability != null ? durability : defaults.durability,
        keyPrefix != null ? keyPrefix : defaults.keyPrefix);
  }

  /** The name of the space that holds a cache of this name. */
  String storedName(String cacheName) {
    return keyPrefix == null ? cacheName : keyPrefix + cacheName;
  }

  /** The options that are said; with refreshes on this executor, unless it is null. */
  CacheOptions<Object, Object> options(@Nullable Executor refreshExecutor) {
    CacheExpiry<Object, Object> expiry = new NullAwareExpiry(ttl, tti, nullTtl);
    CacheOptions<Object, Object> options =
        CacheOptions.defaults()
            .expiry(jitter == null ? expiry : expiry.withJitter(jitter))
            .onUnencodable(onUnencodable == null ? OnUnencodable.SKIP : onUnencodable);
    double ahead = refreshAhead == null ? 0 : refreshAhead;
    if (softTtl != null || ahead > 0) {
      options =
          options.refresh(
              new CacheRefresh<>(
                  softTtl, ahead, null, refreshExecutor, CacheRefresh.DEFAULT_RETRY_PAUSE));
    }
    if (warmRestart != null) {
      options = options.warmRestart(warmRestart);
    }
    if (hotEntries != null) {
      options = options.hotEntries(hotEntries);
    } else if (hotBytes != null) {
      options = options.hotBytes(hotBytes);
    }
    if (diskBudgetBytes != null) {
      options = options.diskBudgetBytes(diskBudgetBytes);
    }
    if (maximumSize != null) {
      options = options.maximumSize(maximumSize);
    }
    return durability == null ? options : options.durability(durability);
  }

  private RockpoolCacheConfiguration with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  private static void requireOneOf(
      String first, @Nullable Object one, String second, @Nullable Object other) {
    if (one != null && other != null) {
      throw new IllegalArgumentException(
          "Both "
              + first
              + " ("
              + one
              + ") and "
              + second
              + " ("
              + other
              + ") are given; leave one of them out.");
    }
  }

  private static void requirePositive(String what, @Nullable Duration duration) {
    if (duration != null && (duration.isNegative() || duration.isZero())) {
      throw new IllegalArgumentException(
          what + " is " + duration + "; give more than zero, or leave it out for none.");
    }
  }

  private static void requirePositive(String what, @Nullable Long number) {
    if (number != null && number <= 0) {
      throw new IllegalArgumentException(
          what + " is " + number + "; give more than 0, or say nothing of it.");
    }
  }

  private static void requireFraction(String what, @Nullable Double number) {
    if (number != null && !(number >= 0 && number < 1)) {
      throw new IllegalArgumentException(
          what + " is " + number + "; give a fraction from 0 to below 1, such as 0.1.");
    }
  }

  private static void requireNotNegative(String what, @Nullable Long number) {
    if (number != null && number < 0) {
      throw new IllegalArgumentException(what + " is " + number + "; give 0 for none, or more.");
    }
  }

  /** The same, while a point of it is changed. */
  private static final class Draft {
    @Nullable Duration ttl;
    @Nullable Duration tti;
    @Nullable Duration nullTtl;
    @Nullable Duration softTtl;
    @Nullable Double refreshAhead;
    @Nullable Double jitter;
    @Nullable Boolean warmRestart;
    @Nullable OnUnencodable onUnencodable;
    @Nullable Long hotEntries;
    @Nullable Long hotBytes;
    @Nullable Long diskBudgetBytes;
    @Nullable Long maximumSize;
    @Nullable Durability durability;
    @Nullable String keyPrefix;

    Draft(RockpoolCacheConfiguration from) {
      ttl = from.ttl;
      tti = from.tti;
      nullTtl = from.nullTtl;
      softTtl = from.softTtl;
      refreshAhead = from.refreshAhead;
      jitter = from.jitter;
      warmRestart = from.warmRestart;
      onUnencodable = from.onUnencodable;
      hotEntries = from.hotEntries;
      hotBytes = from.hotBytes;
      diskBudgetBytes = from.diskBudgetBytes;
      maximumSize = from.maximumSize;
      durability = from.durability;
      keyPrefix = from.keyPrefix;
    }

    RockpoolCacheConfiguration finish() {
      return new RockpoolCacheConfiguration(
          ttl,
          tti,
          nullTtl,
          softTtl,
          refreshAhead,
          jitter,
          warmRestart,
          onUnencodable,
          hotEntries,
          hotBytes,
          diskBudgetBytes,
          maximumSize,
          durability,
          keyPrefix);
    }
  }
}

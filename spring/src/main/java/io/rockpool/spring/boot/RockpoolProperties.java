package io.rockpool.spring.boot;

import io.rockpool.WhenLocked;
import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.CacheSettings;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The properties of a store and its caches.
 *
 * @param directory Where the store lies. One process at a time may have it open. "temporary": a new
 *     store each time, removed when the application ends.
 * @param lockWait How long another process that has the store open is waited for at the start.
 * @param whenLocked What is done when that wait is over; fail unless set. With temporary the
 *     application starts with an empty temporary store.
 * @param memory Native memory that the store may take; 256MB unless set. What caches keep on the
 *     heap comes on top.
 * @param heapBudget Bytes of entries that the store's caches keep in memory together, by use, those
 *     aside that have hot-entries or hot-bytes of their own. A quarter of the heap, for all stores
 *     of the process, unless set.
 * @param durability What a write survives unless its cache says otherwise; periodic unless set.
 * @param onCorruption What opening does if the store's files are damaged; fail unless set. With
 *     quarantine the directory is renamed and an empty store takes its place; such a store holds
 *     caches alone.
 * @param diskBudget About how much disk the store may take; beyond that its caches give way, and
 *     where they cannot make up for it, collections refuse what adds to them. No bound unless set.
 * @param freeSpaceFloor How much of its file system the store leaves free, in the same way; 128MB,
 *     or a twentieth of the file system if that is less, unless set.
 * @param allow Packages, with those below them, and classes of which caches may hold instances,
 *     beside the application's own packages.
 * @param strict Whether only classes that are allowed are stored and read, those of the
 *     application's packages and of "allow". Unless set, classes whose instances the application
 *     has stored are, too.
 * @param defaults How caches behave as far as their own properties do not say.
 * @param caches How the cache of a name behaves, or those whose names match a pattern such as
 *     "[shop*]".
 */
@ConfigurationProperties(RockpoolProperties.PREFIX)
public record RockpoolProperties(
    @DefaultValue("rockpool-data") File directory,
    @DefaultValue("10s") Duration lockWait,
    @Nullable WhenLocked whenLocked,
    @Nullable DataSize memory,
    @Nullable DataSize heapBudget,
    @Nullable Durability durability,
    @Nullable OnCorruption onCorruption,
    @Nullable DataSize diskBudget,
    @Nullable DataSize freeSpaceFloor,
    @DefaultValue List<String> allow,
    boolean strict,
    @DefaultValue Caching defaults,
    @DefaultValue Map<String, Caching> caches) {
  static final String PREFIX = "rockpool";

  /**
   * Checks what can be checked before anything is opened.
   *
   * @throws InvalidConfigurationPropertyValueException if a value is out of its range
   * @throws MutuallyExclusiveConfigurationPropertiesException if two are set of which there can be
   *     one
   */
  public RockpoolProperties {
    if (memory != null && memory.toBytes() <= 0) {
      throw new InvalidConfigurationPropertyValueException(
          PREFIX + ".memory", memory, "Give a positive amount, or leave it out.");
    }
    if (lockWait.isNegative()) {
      throw new InvalidConfigurationPropertyValueException(
          PREFIX + ".lock-wait", lockWait, "Give 0 not to wait, or more.");
    }
    requirePositive(PREFIX + ".heap-budget", heapBudget);
    requirePositive(PREFIX + ".disk-budget", diskBudget);
    requirePositive(PREFIX + ".free-space-floor", freeSpaceFloor);
    defaults.check(PREFIX + ".defaults.");
    caches.forEach((name, caching) -> caching.check(PREFIX + ".caches." + name + "."));
  }

  private static void requirePositive(String name, @Nullable DataSize size) {
    if (size != null && size.toBytes() <= 0) {
      throw new InvalidConfigurationPropertyValueException(
          name, size, "Give more than 0, or leave it out for no bound.");
    }
  }

  /**
   * How caches behave.
   *
   * @param ttl How long an entry lives since it was last written; for ever if neither this nor tti
   *     is set.
   * @param tti How long an entry lives since it was last written or read; with ttl, no longer than
   *     that since it was last written.
   * @param nullTtl How long a null lives since it was written; zero keeps none; as other values
   *     unless set.
   * @param softTtl How old an entry may become before it is loaded anew in the background, while it
   *     is still served; for reads that bring a loader, as with sync = true.
   * @param refreshAhead The last part of an entry's life in which it is loaded anew, too; 0.2 is
   *     the last fifth.
   * @param refreshRetryPause How long a key is not refreshed after its refresh has failed; 1s
   *     unless set.
   * @param jitter By how much of it an entry's life is shortened at most, at random; 0.1 is a
   *     tenth.
   * @param warmRestart Whether what is in memory is brought back after a restart, in the
   *     background; it is unless set.
   * @param onUnencodable What is done with a value that cannot be encoded, such as an entity with a
   *     proxy that nobody has initialised. Skip, unless set: it is returned and not cached. With
   *     fail the method throws.
   * @param hotEntries How many entries are kept in memory, whatever their size; 0 keeps none.
   * @param hotBytes How many bytes of entries are kept in memory, as encoded and with their
   *     overhead; 0 keeps none; a share of the heap budget if neither this nor hot-entries is set.
   * @param diskBudget About how much disk the cache may take; beyond that some of its entries are
   *     evicted in the background. No bound unless set.
   * @param maximumSize How many entries the cache may have; beyond that some of them are evicted in
   *     the background. No bound unless set.
   * @param durability What the cache's writes survive; the store's durability unless set.
   * @param keyPrefix What is put in front of the cache's name in the store, such as "shop/".
   */
  public record Caching(
      @Nullable Duration ttl,
      @Nullable Duration tti,
      @Nullable Duration nullTtl,
      @Nullable Duration softTtl,
      @Nullable Double refreshAhead,
      @Nullable Duration refreshRetryPause,
      @Nullable Double jitter,
      @Nullable Boolean warmRestart,
      @Nullable OnUnencodable onUnencodable,
      @Nullable Long hotEntries,
      @Nullable DataSize hotBytes,
      @Nullable DataSize diskBudget,
      @Nullable Long maximumSize,
      @Nullable Durability durability,
      @Nullable String keyPrefix) {
    RockpoolCacheConfiguration configuration() {
      return configuration("");
    }

    /** The options that are set; {@code prefix} is in front of their names in messages. */
    private RockpoolCacheConfiguration configuration(String prefix) {
      return new Setting(prefix, RockpoolCacheConfiguration.defaults())
          .set(RockpoolCacheConfiguration.TTL, ttl)
          .set(RockpoolCacheConfiguration.TTI, tti)
          .set(RockpoolCacheConfiguration.NULL_TTL, nullTtl)
          .set(CacheSettings.SOFT_TTL, softTtl)
          .set(CacheSettings.REFRESH_AHEAD, refreshAhead)
          .set(CacheSettings.REFRESH_RETRY_PAUSE, refreshRetryPause)
          .set(CacheSettings.JITTER, jitter)
          .set(CacheSettings.WARM_RESTART, warmRestart)
          .set(CacheSettings.ON_UNENCODABLE, onUnencodable)
          .set(CacheSettings.HOT_ENTRIES, hotEntries)
          .set(CacheSettings.HOT_BYTES, hotBytes)
          .set(CacheSettings.DISK_BUDGET, diskBudget)
          .set(CacheSettings.MAXIMUM_SIZE, maximumSize)
          .set(CacheSettings.DURABILITY, durability)
          .set(RockpoolCacheConfiguration.KEY_PREFIX, keyPrefix)
          .configuration();
    }

    private void check(String prefix) {
      excludeEachOther(prefix + "hot-entries", hotEntries, prefix + "hot-bytes", hotBytes);
      configuration(prefix);
    }

    /** A configuration while the properties with a prefix are set in it. */
    private record Setting(String prefix, RockpoolCacheConfiguration configuration) {
      Setting set(CacheOption<Long> option, @Nullable DataSize size) {
        return set(option, size == null ? null : size.toBytes());
      }

      <T> Setting set(CacheOption<T> option, @Nullable T value) {
        if (value == null) {
          return this;
        }
        String advice = option.adviceAgainst(value);
        if (advice != null) {
          throw new InvalidConfigurationPropertyValueException(
              prefix + option.key(), value, StringUtils.capitalize(advice));
        }
        return new Setting(prefix, configuration.set(option, value));
      }
    }

    private static void excludeEachOther(
        String first, @Nullable Object one, String second, @Nullable Object other) {
      MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn(
          entries -> {
            entries.put(first, one);
            entries.put(second, other);
          });
    }
  }
}

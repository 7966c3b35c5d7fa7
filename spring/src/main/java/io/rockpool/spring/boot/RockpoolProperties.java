package io.rockpool.spring.boot;

import io.rockpool.WhenLocked;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.HotSize;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.cache.WriteBehindOptions.WhenFull;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * The properties of a store and its caches.
 *
 * @param directory The directory of the store. One process at a time can open it. "temporary": a
 *     new store each time, deleted when the application ends.
 * @param engine Where the data is: embedded, the default, in the directory; or the name of an
 *     engine on a server, such as redis, which then takes its connection from Spring Boot's own
 *     properties.
 * @param uri The server of the store, such as "redis://localhost:6379", in place of a directory.
 *     The engine's artifact must be on the class path.
 * @param lockWait How long the start waits for another process that has the store open.
 * @param whenLocked What happens if the store is still open in another process after that wait;
 *     fail by default. With temporary, the application starts with an empty temporary store.
 * @param memory Native memory of the store; at most 256MB by default, less in a small container.
 *     The heap of caches is not included.
 * @param heapBudget Bytes of entries that the store's caches keep in memory together, without
 *     caches that set hot-size. By default, all stores of the process share a quarter of the heap.
 * @param durability What writes survive, unless their cache sets another durability; periodic by
 *     default.
 * @param onCorruption What opening does if the store's files are damaged; fail by default. With
 *     quarantine, the directory is renamed and an empty store replaces it; the store can then hold
 *     caches only.
 * @param diskBudget Approximate limit for the disk use of the store; no limit by default. Beyond
 *     it, caches evict, and if that is not enough, collections reject inserts.
 * @param freeSpaceFloor How much of its file system the store leaves free; 128MB by default, or a
 *     twentieth of the file system if that is less. Below it, caches evict and collections reject
 *     inserts.
 * @param transactions Whether there is a transaction manager for the store: false for none, true
 *     for one also beside others. By default, if there is no other transaction manager and the
 *     store is not on Redis.
 * @param encryption How values are encrypted; without a source of master keys, nothing is.
 * @param idempotency HTTP requests that are handled once.
 * @param allow Classes and packages (with their subpackages) whose instances caches may hold, in
 *     addition to the application's own packages.
 * @param strict Whether only classes of the application's packages and of "allow" are stored and
 *     read. By default, classes whose instances the application has stored are also allowed.
 * @param defaults Options of all caches. The options of a single cache take precedence.
 * @param caches Options of the cache with this name, or of the caches whose names match a pattern
 *     such as "[shop*]".
 */
@ConfigurationProperties(RockpoolProperties.PREFIX)
public record RockpoolProperties(
    @DefaultValue("rockpool-data") File directory,
    @Nullable String engine,
    @Nullable URI uri,
    @DefaultValue("10s") Duration lockWait,
    @Nullable WhenLocked whenLocked,
    @Nullable DataSize memory,
    @Nullable DataSize heapBudget,
    @Nullable Durability durability,
    @Nullable OnCorruption onCorruption,
    @Nullable DataSize diskBudget,
    @Nullable DataSize freeSpaceFloor,
    @Nullable Boolean transactions,
    @DefaultValue EncryptionKeys encryption,
    @DefaultValue Idempotency idempotency,
    @DefaultValue List<String> allow,
    boolean strict,
    @DefaultValue Caching defaults,
    @DefaultValue Map<String, Caching> caches) {
  static final String PREFIX = "rockpool";

  /**
   * Checks the properties before a store is opened.
   *
   * @throws InvalidConfigurationPropertyValueException if a value is out of its range
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
    defaults.check(PREFIX + ".defaults.", false);
    caches.forEach(
        (name, caching) -> caching.check(PREFIX + ".caches." + name + ".", !name.contains("*")));
    defaults.checkSoftTtl(PREFIX + ".defaults.", defaults);
    caches.forEach(
        (name, caching) -> caching.checkSoftTtl(PREFIX + ".caches." + name + ".", defaults));
  }

  /**
   * How the values of names that are created from now on are encrypted. One source has the master
   * keys: a file, an environment variable, a key store, or a bean of type KeyProvider.
   *
   * @param keyFile The file with the master keys.
   * @param environment The environment variable with the master keys.
   * @param pkcs12 The PKCS#12 key store with the master keys.
   * @param only The names in the store, or the levels above them, that are encrypted; by default
   *     all.
   * @param except The names in the store, or the levels above them, that are not encrypted.
   * @param hidingKeys The names in the store, or the levels above them, whose keys are encrypted,
   *     too, if they are not sorted.
   * @param keysIn A file outside of the store with the keys of names, so that no backup of a
   *     dropped name can be read. A backup is useless without it.
   */
  public record EncryptionKeys(
      @Nullable File keyFile,
      @Nullable String environment,
      @DefaultValue KeyStoreFile pkcs12,
      @Nullable List<String> only,
      @DefaultValue List<String> except,
      @DefaultValue List<String> hidingKeys,
      @Nullable File keysIn) {
    /** The properties that are set, without their prefix. */
    List<String> explicit() {
      List<String> set = new ArrayList<>(sources());
      if (only != null) {
        set.add("only");
      }
      if (!except.isEmpty()) {
        set.add("except");
      }
      if (!hidingKeys.isEmpty()) {
        set.add("hiding-keys");
      }
      if (keysIn != null) {
        set.add("keys-in");
      }
      return set;
    }

    /** The properties that are set and have master keys. */
    List<String> sources() {
      List<String> set = new ArrayList<>();
      if (keyFile != null) {
        set.add("key-file");
      }
      if (environment != null) {
        set.add("environment");
      }
      if (pkcs12.file() != null) {
        set.add("pkcs12.file");
      }
      return set;
    }
  }

  /**
   * A PKCS#12 key store.
   *
   * @param file The key store.
   * @param password The password of the key store and of its keys.
   * @param alias The alias of the current master key.
   */
  public record KeyStoreFile(
      @Nullable File file, @Nullable String password, @Nullable String alias) {
    /** Without the password. */
    @Override
    public String toString() {
      return file + ", " + alias;
    }
  }

  /**
   * HTTP requests that are handled once, if they have an Idempotency-Key.
   *
   * @param paths Patterns of their paths, such as "/payments/**"; by default there are none.
   * @param methods Their methods.
   * @param ttl How long a response is kept for repeated requests.
   * @param required Whether a request without a key is refused with 400.
   * @param maxBody The maximum size of a request's body.
   */
  public record Idempotency(
      @DefaultValue List<String> paths,
      @DefaultValue({"POST", "PATCH"}) Set<String> methods,
      @DefaultValue("24h") Duration ttl,
      boolean required,
      @DefaultValue("1MB") DataSize maxBody) {
    private static final int MAX_BODY_BYTES = 1 << 30;

    private static final Set<String> KNOWN_METHODS =
        Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    /**
     * Checks the properties.
     *
     * @throws InvalidConfigurationPropertyValueException if a value is out of its range
     */
    public Idempotency {
      for (String method : methods) {
        if (!KNOWN_METHODS.contains(method.toUpperCase(Locale.ROOT))) {
          throw new InvalidConfigurationPropertyValueException(
              PREFIX + ".idempotency.methods", method, "Give methods of HTTP, such as POST.");
        }
      }
      if (ttl.isNegative() || ttl.isZero()) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + ".idempotency.ttl", ttl, "Give a positive duration.");
      }
      if (maxBody.toBytes() < 0 || maxBody.toBytes() > MAX_BODY_BYTES) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + ".idempotency.max-body", maxBody, "Give at most 1GB.");
      }
    }
  }

  private static void requirePositive(String name, @Nullable DataSize size) {
    if (size != null && size.toBytes() <= 0) {
      throw new InvalidConfigurationPropertyValueException(
          name, size, "Give more than 0, or leave it out for no bound.");
    }
  }

  /**
   * The options of caches.
   *
   * @param ttl How long an entry lives after its last write. Without this and tti, entries do not
   *     expire.
   * @param tti How long an entry lives after its last write or read. With ttl, no longer than that
   *     after its last write.
   * @param nullTtl How long a null lives after its write; 0 stores no nulls. By default as long as
   *     other values.
   * @param softTtl The age after which an entry is refreshed in the background while it is still
   *     served; less than ttl.
   * @param refreshAheadFactor The part of an entry's life after which it is also refreshed; with
   *     0.8, in the last fifth.
   * @param refreshRetryPause How long a key is not refreshed after its refresh has failed; 1s by
   *     default.
   * @param jitter The largest part by which an entry's life is shortened at random, so that entries
   *     written together do not expire together; 0.1 is a tenth.
   * @param warmRestart Whether the entries in memory are restored in the background after a
   *     restart; true by default.
   * @param onUnencodable What happens to a value that cannot be encoded, such as an entity with an
   *     uninitialized proxy. Skip, the default: it is returned and not cached. Fail: the method
   *     throws.
   * @param hotSize How much is kept in memory: a number of entries, such as 10000, or bytes with
   *     their unit, such as 64MB; 0 keeps nothing. By default, a share of the heap budget.
   * @param diskBudget Approximate limit for the disk use of the cache; no limit by default. Beyond
   *     it, entries are evicted in the background.
   * @param maximumSize The maximum number of entries; no limit by default. Beyond it, entries are
   *     evicted in the background.
   * @param durability What the cache's writes survive; by default the durability of the store.
   * @param version The version of what the cache holds, such as "7". Opening a cache that was
   *     written with another one clears it.
   * @param evolve Whether a value is read whose class has gained or renamed a field since, with
   *     null or zero in that field. By default such a value is a miss and removed.
   * @param keyPrefix A prefix of the cache's name in the store, such as "shop/".
   * @param writeBehind How changes are written to another system later.
   */
  public record Caching(
      @Nullable Duration ttl,
      @Nullable Duration tti,
      @Nullable Duration nullTtl,
      @Nullable Duration softTtl,
      @Nullable Double refreshAheadFactor,
      @Nullable Duration refreshRetryPause,
      @Nullable Double jitter,
      @Nullable Boolean warmRestart,
      @Nullable OnUnencodable onUnencodable,
      @Nullable String hotSize,
      @Nullable DataSize diskBudget,
      @Nullable Long maximumSize,
      @Nullable Durability durability,
      @Nullable String version,
      @Nullable Boolean evolve,
      @Nullable String keyPrefix,
      @Nullable WriteBehind writeBehind) {
    RockpoolCacheConfiguration configuration() {
      return RockpoolCacheConfiguration.defaults().setAll(options(""));
    }

    private OptionValues options(String prefix) {
      return new PropertyOptions(prefix)
          .set(RockpoolCacheConfiguration.TTL, ttl)
          .set(RockpoolCacheConfiguration.TTI, tti)
          .set(RockpoolCacheConfiguration.NULL_TTL, nullTtl)
          .set(CacheSettings.SOFT_TTL, softTtl)
          .set(CacheSettings.REFRESH_AHEAD_FACTOR, refreshAheadFactor)
          .set(CacheSettings.REFRESH_RETRY_PAUSE, refreshRetryPause)
          .set(CacheSettings.JITTER, jitter)
          .set(CacheSettings.WARM_RESTART, warmRestart)
          .set(CacheSettings.ON_UNENCODABLE, onUnencodable)
          .set(CacheSettings.HOT_SIZE, hotSize(prefix))
          .set(CacheSettings.DISK_BUDGET, diskBudget)
          .set(CacheSettings.MAXIMUM_SIZE, maximumSize)
          .set(CacheSettings.DURABILITY, durability)
          .set(CacheSettings.VERSION, version)
          .set(CacheSettings.EVOLVE, evolve)
          .set(RockpoolCacheConfiguration.KEY_PREFIX, keyPrefix)
          .values();
    }

    private @Nullable HotSize hotSize(String prefix) {
      if (hotSize == null) {
        return null;
      }
      try {
        boolean isBytes = hotSize.chars().anyMatch(Character::isLetter);
        return isBytes
            ? HotSize.bytes(DataSize.parse(hotSize).toBytes())
            : HotSize.entries(Long.parseLong(hotSize.strip()));
      } catch (IllegalArgumentException e) {
        throw new InvalidConfigurationPropertyValueException(
            prefix + CacheSettings.HOT_SIZE.key(),
            hotSize,
            "Give a number of entries, such as 10000, or of bytes with their unit, such as 64MB.");
      }
    }

    private void check(String prefix, boolean isOfOneCache) {
      OptionValues unused = options(prefix);
      if (writeBehind != null) {
        writeBehind.check(prefix + "write-behind.", isOfOneCache);
      }
    }

    /** Each of the two may be of the cache's own group or of the defaults. */
    private void checkSoftTtl(String prefix, Caching defaults) {
      RockpoolCacheConfiguration all = configuration().over(defaults.configuration());
      Duration soft = all.softTtl().orElse(null);
      Duration hard = all.ttl().orElse(null);
      if (soft == null || hard == null || soft.compareTo(hard) < 0) {
        return;
      }
      String softName = CacheSettings.SOFT_TTL.key();
      String hardName = RockpoolCacheConfiguration.TTL.key();
      String others = PREFIX + ".defaults.";
      if (softTtl == null) {
        throw new InvalidConfigurationPropertyValueException(
            prefix + hardName,
            hard,
            "Give more than %s%s, or set %s%s to less."
                .formatted(others, softName, prefix, softName));
      }
      throw new InvalidConfigurationPropertyValueException(
          prefix + softName,
          soft,
          "Give less than %s%s, or leave it out."
              .formatted(ttl == null ? others : prefix, hardName));
    }
  }

  /** The options of writing behind a cache: its own, and the defaults for those it does not set. */
  WriteBehindOptions writeBehind(WriteBehind own) {
    WriteBehind all = defaults.writeBehind();
    return WriteBehindOptions.of(
        all == null ? own.options("") : own.options("").orElse(all.options("")));
  }

  /**
   * How changes are written behind a cache.
   *
   * @param writer The name of the BatchWriter bean that writes the changes of the cache. Set it for
   *     single caches: each needs a writer of its own.
   * @param batchSize The most changes in one call of the writer; 500 by default.
   * @param delay How long a change waits for others; 1s by default.
   * @param backoff The pause of a key after its first failure; 500ms by default. Each failure
   *     doubles it.
   * @param maximumBackoff The longest pause of a key; 5m by default.
   * @param maximumAttempts After how many failures a change is given up and becomes a dead letter;
   *     100 by default.
   * @param maximumPending The most pending changes, dead letters included; 100000 by default.
   * @param maximumPendingBytes The most bytes of pending keys and values; 256MB by default.
   * @param maximumAge How old the oldest pending change may become before new ones wait; no limit
   *     by default.
   * @param whenFull What a change does if a maximum is reached. Block, the default: it waits.
   *     Write-through: its thread writes the oldest changes.
   * @param maximumWait How long a change waits for room before it fails; 30s by default.
   * @param closeTimeout How long closing waits for pending changes; 10s by default. The rest is
   *     written after the next start.
   */
  public record WriteBehind(
      @Nullable String writer,
      @Nullable Long batchSize,
      @Nullable Duration delay,
      @Nullable Duration backoff,
      @Nullable Duration maximumBackoff,
      @Nullable Long maximumAttempts,
      @Nullable Long maximumPending,
      @Nullable DataSize maximumPendingBytes,
      @Nullable Duration maximumAge,
      @Nullable WhenFull whenFull,
      @Nullable Duration maximumWait,
      @Nullable Duration closeTimeout) {
    OptionValues options(String prefix) {
      return new PropertyOptions(prefix)
          .set(WriteBehindOptions.BATCH_SIZE, batchSize)
          .set(WriteBehindOptions.DELAY, delay)
          .set(WriteBehindOptions.BACKOFF, backoff)
          .set(WriteBehindOptions.MAXIMUM_BACKOFF, maximumBackoff)
          .set(WriteBehindOptions.MAXIMUM_ATTEMPTS, maximumAttempts)
          .set(WriteBehindOptions.MAXIMUM_PENDING, maximumPending)
          .set(WriteBehindOptions.MAXIMUM_PENDING_BYTES, maximumPendingBytes)
          .set(WriteBehindOptions.MAXIMUM_AGE, maximumAge)
          .set(WriteBehindOptions.WHEN_FULL, whenFull)
          .set(WriteBehindOptions.MAXIMUM_WAIT, maximumWait)
          .set(WriteBehindOptions.CLOSE_TIMEOUT, closeTimeout)
          .values();
    }

    private void check(String prefix, boolean isOfOneCache) {
      OptionValues unused = options(prefix);
      if (isOfOneCache == (writer == null)) {
        throw new InvalidConfigurationPropertyValueException(
            prefix + "writer",
            writer,
            isOfOneCache
                ? "Name the BatchWriter bean that writes the changes of this cache."
                : "Name the writer of each single cache instead.");
      }
    }
  }
}

package io.rockpool.spring;

import io.rockpool.cache.BatchWriter;
import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.internal.access.StoredNames;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The options of a Spring cache. Immutable: each method with a parameter returns a copy with one
 * option set. An option that is not set has the value of the manager's defaults, and else its own
 * default.
 *
 * <pre>{@code
 * RockpoolCacheConfiguration orders =
 *     RockpoolCacheConfiguration.defaults()
 *         .ttl(Duration.ofHours(1))
 *         .nullTtl(Duration.ofMinutes(1))
 *         .hotEntries(10_000);
 * manager.setCacheConfiguration("orders", orders);
 * }</pre>
 *
 * <p>A refresh after {@link #softTtl(Duration)} calls the loader of the read, or the
 * {@code @Cacheable} method that made the value; see {@link CacheableRefresher}.
 */
public final class RockpoolCacheConfiguration extends CacheSettings<RockpoolCacheConfiguration> {
  private static final long serialVersionUID = 1L;

  /** See {@link #ttl(Duration)}. */
  public static final CacheOption<Duration> TTL = CacheOption.duration("ttl").positive();

  /** See {@link #tti(Duration)}. */
  public static final CacheOption<Duration> TTI = CacheOption.duration("tti").positive();

  /** See {@link #nullTtl(Duration)}. */
  public static final CacheOption<Duration> NULL_TTL = CacheOption.duration("nullTtl");

  /** See {@link #keyPrefix(String)}. */
  public static final CacheOption<String> KEY_PREFIX = CacheOption.text("keyPrefix");

  private static final CacheOption<Object> TAGS = CacheOption.code("tags");
  private static final CacheOption<Object> WRITER = CacheOption.code("writer");
  private static final CacheOption<Object> WRITE_BEHIND = CacheOption.code("writeBehindOptions");

  private static final RockpoolCacheConfiguration DEFAULTS =
      new RockpoolCacheConfiguration(OptionValues.NONE);

  private RockpoolCacheConfiguration(OptionValues options) {
    super(options);
  }

  /** A configuration in which no option is set. */
  public static RockpoolCacheConfiguration defaults() {
    return DEFAULTS;
  }

  @Override
  protected RockpoolCacheConfiguration copy(OptionValues newValues) {
    return new RockpoolCacheConfiguration(newValues);
  }

  /**
   * Sets how long an entry lives after its last write. By default entries do not expire, unless
   * {@link #tti(Duration)} is set.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RockpoolCacheConfiguration ttl(Duration ttl) {
    return set(TTL, ttl);
  }

  /** How long an entry lives after its last write; see {@link #ttl(Duration)}. */
  public Optional<Duration> ttl() {
    return Optional.ofNullable(values().get(TTL));
  }

  /**
   * Sets how long an entry lives after its last write or read. With {@link #ttl(Duration)}, it
   * lives no longer than that after its last write.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RockpoolCacheConfiguration tti(Duration tti) {
    return set(TTI, tti);
  }

  /** How long an entry lives after its last write or read; see {@link #tti(Duration)}. */
  public Optional<Duration> tti() {
    return Optional.ofNullable(values().get(TTI));
  }

  /**
   * Sets how long a null lives after its write; with zero, nulls are not stored. By default a null
   * lives as long as other values.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RockpoolCacheConfiguration nullTtl(Duration ttl) {
    return set(NULL_TTL, ttl);
  }

  /** How long a null lives; see {@link #nullTtl(Duration)}. */
  public Optional<Duration> nullTtl() {
    return Optional.ofNullable(values().get(NULL_TTL));
  }

  /**
   * Sets a prefix of the cache's name in the store, such as {@code shop/}. Unlike a cache's name,
   * it has only characters that names of a store may have.
   */
  public RockpoolCacheConfiguration keyPrefix(String prefix) {
    return set(KEY_PREFIX, prefix);
  }

  /** The prefix of the cache's name; see {@link #keyPrefix(String)}. */
  public Optional<String> keyPrefix() {
    return Optional.ofNullable(values().get(KEY_PREFIX));
  }

  /**
   * Sets a writer to which a thread of the cache writes its changes later, with batches; see {@link
   * CacheOptions#writeBehind(BatchWriter, WriteBehindOptions)}. In its maps, a cached null is null.
   *
   * <p><b>Every</b> {@code @CachePut} and {@code Cache.put} is written, and every
   * {@code @CacheEvict} of a key is a removal in the writer's target. To evict without that, clear
   * the cache. What a method with {@code @Cacheable} returns is not written if it has {@code sync =
   * true}, or if there is a {@link CacheableRefresher}, as in Boot; otherwise it is a put.
   *
   * <p>Each cache needs a writer of its own, so set it for a single name.
   */
  public RockpoolCacheConfiguration writeBehind(
      BatchWriter<Object, Object> writer, WriteBehindOptions options) {
    return set(WRITER, writer).set(WRITE_BEHIND, options);
  }

  /**
   * Sets a function that returns the tags of keys and values, see {@link CacheOptions#tags}. A
   * cached null is {@link org.springframework.cache.support.NullValue#INSTANCE}. {@link CacheTags}
   * are added.
   */
  public RockpoolCacheConfiguration tags(
      BiFunction<Object, Object, ? extends Collection<String>> tags) {
    return set(TAGS, tags);
  }

  /** How changes are written later; see {@link #writeBehind(BatchWriter, WriteBehindOptions)}. */
  public Optional<WriteBehindOptions> writeBehind() {
    return Optional.ofNullable((WriteBehindOptions) values().get(WRITE_BEHIND));
  }

  /**
   * Returns these options, and those of {@code defaults} that are not set here. A ttl or tti that
   * is set here replaces both.
   */
  public RockpoolCacheConfiguration over(RockpoolCacheConfiguration defaults) {
    OptionValues others = defaults.values();
    boolean setsExpiry = ttl().isPresent() || tti().isPresent();
    return copy(values().orElse(setsExpiry ? others.without(TTL, TTI) : others));
  }

  /** The name of the space that holds a cache of this name. */
  String storedName(String cacheName) {
    return keyPrefix().orElse("") + StoredNames.toStore(cacheName);
  }

  /** The options of the cache under the Spring cache. */
  CacheOptions<Object, Object> options() {
    CacheOptions<Object, Object> options =
        CacheOptions.defaults()
            .onUnencodable(OnUnencodable.SKIP)
            .setAll(values())
            .expiry(
                new NullAwareExpiry(
                    ttl().orElse(null), tti().orElse(null), nullTtl().orElse(null)));
    @SuppressWarnings("unchecked") // the setter checks the type
    BatchWriter<Object, Object> writer = (BatchWriter<Object, Object>) values().get(WRITER);
    return writer == null
        ? options
        : options.writeBehind(new NullAwareWriter(writer), writeBehind().orElseThrow());
  }
}

package io.rockpool.jcache;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.HeapBudget;
import io.rockpool.codec.Codec;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * A cache's configuration: what the specification knows, and what Rockpool does beyond it.
 * Immutable; serializable if the codecs, functions and factories in it are.
 *
 * <pre>{@code
 * RockpoolConfiguration.builder(String.class, Order.class)
 *     .expiry(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
 *     .hotEntries(10_000)
 *     .durability(Durability.SYNC)
 *     .build()
 * }</pre>
 *
 * <p>Give it to {@code createCache}; {@code Cache.getConfiguration(RockpoolConfiguration.class)}
 * returns what the cache goes by, with what a configuration file said in addition. What is not said
 * anywhere is empty, and the library's default holds.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class RockpoolConfiguration<K, V> implements CompleteConfiguration<K, V> {
  private static final long serialVersionUID = 1L;

  /** Never changed, and never given away. */
  private final MutableConfiguration<K, V> standard;

  private final CacheTuning<K, V> tuning;

  private RockpoolConfiguration(MutableConfiguration<K, V> standard, CacheTuning<K, V> tuning) {
    this.standard = standard;
    this.tuning = tuning;
  }

  /** A copy of a configuration with a tuning. */
  static <K, V> RockpoolConfiguration<K, V> of(
      CompleteConfiguration<K, V> standard, CacheTuning<K, V> tuning) {
    return new RockpoolConfiguration<>(new MutableConfiguration<>(standard), tuning);
  }

  /** A copy of any configuration; what it does not say is as the specification has it. */
  static <K, V> RockpoolConfiguration<K, V> of(Configuration<K, V> given) {
    if (given instanceof RockpoolConfiguration<K, V> mine) {
      return mine;
    }
    if (given instanceof CompleteConfiguration<K, V> complete) {
      return of(complete, CacheTuning.none());
    }
    MutableConfiguration<K, V> standard = new MutableConfiguration<>();
    standard.setTypes(given.getKeyType(), given.getValueType());
    standard.setStoreByValue(given.isStoreByValue());
    return new RockpoolConfiguration<>(standard, CacheTuning.none());
  }

  /** Begins a configuration of a cache with keys and values of these types. */
  public static <K, V> Builder<K, V> builder(Class<K> keyType, Class<V> valueType) {
    MutableConfiguration<K, V> standard = new MutableConfiguration<>();
    standard.setTypes(
        Objects.requireNonNull(keyType, "keyType"), Objects.requireNonNull(valueType, "valueType"));
    return new Builder<>(standard, CacheTuning.none());
  }

  /** Begins with all that another configuration says, which stays as it is. */
  public static <K, V> Builder<K, V> builder(CompleteConfiguration<K, V> configuration) {
    RockpoolConfiguration<K, V> copy = of(Objects.requireNonNull(configuration, "configuration"));
    return new Builder<>(new MutableConfiguration<>(copy.standard), copy.tuning);
  }

  /** What the specification knows of it, as a copy. */
  MutableConfiguration<K, V> standard() {
    return new MutableConfiguration<>(standard);
  }

  CacheTuning<K, V> tuning() {
    return tuning;
  }

  /** This, and what {@code more} says where this says nothing. */
  RockpoolConfiguration<K, V> orElse(CacheTuning<K, V> more) {
    return new RockpoolConfiguration<>(standard, tuning.orElse(more));
  }

  /** How many entries are kept in memory, 0 for none; empty if their bytes are what is bounded. */
  public OptionalLong hotEntries() {
    return optional(tuning.hotEntries());
  }

  /**
   * How many bytes of entries, as encoded and with their overhead, are kept in memory, 0 for none;
   * empty for a share of the {@link HeapBudget}, unless their number is what is bounded.
   */
  public OptionalLong hotBytes() {
    return optional(tuning.hotBytes());
  }

  /** What writes survive; empty for what the store was opened with. */
  public Optional<Durability> durability() {
    return Optional.ofNullable(tuning.durability());
  }

  /** The codec of keys; empty for the library's choice. */
  public Optional<Codec<K>> keyCodec() {
    return Optional.ofNullable(tuning.keyCodec());
  }

  /** The codec of values; empty for the library's choice. */
  public Optional<Codec<V>> valueCodec() {
    return Optional.ofNullable(tuning.valueCodec());
  }

  /**
   * What decides how long an entry lives from its writing on; empty for the expiry policy alone.
   */
  public Optional<BiFunction<? super K, ? super V, @Nullable Duration>> entryTtl() {
    return Optional.ofNullable(tuning.entryTtl());
  }

  /** How many entries there may be; see {@link Builder#maximumSize}. */
  public OptionalLong maximumSize() {
    return optional(tuning.maximumSize());
  }

  /** How many bytes the cache may take on disk; see {@link Builder#diskBudgetBytes}. */
  public OptionalLong diskBudgetBytes() {
    return optional(tuning.diskBudgetBytes());
  }

  /** When an entry is refreshed though it has not expired; see {@link Builder#softTtl}. */
  public Optional<Duration> softTtl() {
    return Optional.ofNullable(tuning.freshness().softTtl());
  }

  /** In which last part of its life an entry is refreshed; see {@link Builder#refreshAhead}. */
  public OptionalDouble refreshAhead() {
    return optional(tuning.freshness().refreshAhead());
  }

  /** By how much an entry's life is shortened at most; see {@link Builder#jitter}. */
  public OptionalDouble jitter() {
    return optional(tuning.freshness().jitter());
  }

  /** Whether what is in memory is brought back after a restart; empty for yes. */
  public Optional<Boolean> warmRestart() {
    return Optional.ofNullable(tuning.freshness().warmRestart());
  }

  /** What is done with values that cannot be encoded; empty for an error. */
  public Optional<OnUnencodable> onUnencodable() {
    return Optional.ofNullable(tuning.onUnencodable());
  }

  private static OptionalDouble optional(@Nullable Double number) {
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  private static OptionalLong optional(@Nullable Long number) {
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  @Override
  public Class<K> getKeyType() {
    return standard.getKeyType();
  }

  @Override
  public Class<V> getValueType() {
    return standard.getValueType();
  }

  @Override
  public boolean isStoreByValue() {
    return standard.isStoreByValue();
  }

  @Override
  public boolean isReadThrough() {
    return standard.isReadThrough();
  }

  @Override
  public boolean isWriteThrough() {
    return standard.isWriteThrough();
  }

  @Override
  public boolean isStatisticsEnabled() {
    return standard.isStatisticsEnabled();
  }

  @Override
  public boolean isManagementEnabled() {
    return standard.isManagementEnabled();
  }

  @Override
  public Iterable<CacheEntryListenerConfiguration<K, V>> getCacheEntryListenerConfigurations() {
    return standard().getCacheEntryListenerConfigurations();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public Factory<CacheLoader<K, V>> getCacheLoaderFactory() {
    return standard.getCacheLoaderFactory();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null where there is none
  public Factory<CacheWriter<? super K, ? super V>> getCacheWriterFactory() {
    return standard.getCacheWriterFactory();
  }

  @Override
  public Factory<ExpiryPolicy> getExpiryPolicyFactory() {
    return standard.getExpiryPolicyFactory();
  }

  /** Whether the other is a configuration of this class that says the same. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RockpoolConfiguration<?, ?> configuration
        && standard.equals(configuration.standard)
        && tuning.equals(configuration.tuning);
  }

  @Override
  public int hashCode() {
    return Objects.hash(standard, tuning);
  }

  /**
   * Collects a configuration. Not safe for use by many threads. A point that is said twice is as it
   * was said last.
   *
   * @param <K> the type of keys
   * @param <V> the type of values
   */
  public static final class Builder<K, V> {
    private final MutableConfiguration<K, V> standard;
    private CacheTuning<K, V> said;

    private Builder(MutableConfiguration<K, V> standard, CacheTuning<K, V> said) {
      this.standard = standard;
      this.said = said;
    }

    /** Says one thing more; {@code more} goes before what was said. */
    private Builder<K, V> say(CacheTuning<K, V> more) {
      said = more.orElse(said);
      return this;
    }

    /**
     * Keeps up to this many entries in memory, whatever their size; 0 for none. In the place of
     * {@link #hotBytes}.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder<K, V> hotEntries(long entries) {
      return say(
          new CacheTuning<>(
              entries, null, null, null, null, null, null, null, null, Freshness.UNSAID));
    }

    /**
     * Keeps entries of up to this many bytes, as encoded and with their overhead, in memory; 0 for
     * none. In the place of {@link #hotEntries}. The default is a share of the {@link HeapBudget},
     * by use.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder<K, V> hotBytes(long bytes) {
      return say(
          new CacheTuning<>(
              null, bytes, null, null, null, null, null, null, null, Freshness.UNSAID));
    }

    /**
     * What the cache's writes survive. The default is what its store was opened with; single writes
     * may have another, see {@link io.rockpool.Rockpool#withDurability}. The manager unwraps to the
     * store.
     */
    public Builder<K, V> durability(Durability durability) {
      Objects.requireNonNull(durability, "durability");
      return say(
          new CacheTuning<>(
              null, null, durability, null, null, null, null, null, null, Freshness.UNSAID));
    }

    /**
     * A codec of one's own for keys: equal keys must encode to equal bytes. It is not stored: a
     * later start needs {@code createCache}, or a file, to give it again; a cache is never opened
     * with a codec of another {@link Codec#id id}.
     */
    public Builder<K, V> keyCodec(Codec<K> codec) {
      Objects.requireNonNull(codec, "codec");
      return say(
          new CacheTuning<>(
              null, null, null, null, codec, null, null, null, null, Freshness.UNSAID));
    }

    /** A codec of one's own for values; see {@link #keyCodec}. */
    public Builder<K, V> valueCodec(Codec<V> codec) {
      Objects.requireNonNull(codec, "codec");
      return say(
          new CacheTuning<>(
              null, null, null, null, null, codec, null, null, null, Freshness.UNSAID));
    }

    /**
     * A function that says from its key and value how long an entry lives from its writing on: in
     * the place of what the expiry policy says at creation and update; null for what that says. An
     * entry with zero or less is not stored; it counts as put unless listeners or a writer watch
     * the cache. {@code Duration.ofSeconds(Long.MAX_VALUE)} never expires. What a read does is the
     * policy's. A function that throws has no answer. It is called on the caller's thread, must not
     * be slow, and is not stored, as codecs are not.
     */
    public Builder<K, V> entryTtl(BiFunction<? super K, ? super V, @Nullable Duration> ttl) {
      Objects.requireNonNull(ttl, "ttl");
      return say(
          new CacheTuning<>(null, null, null, null, null, null, ttl, null, null, Freshness.UNSAID));
    }

    /**
     * About how many bytes the cache may take on disk. Where it takes more, entries are evicted in
     * the background, those in memory last; listeners and the writer are not told, the statistics
     * count it. See {@link CacheOptions#diskBudgetBytes(long)}.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder<K, V> diskBudgetBytes(long bytes) {
      return say(
          new CacheTuning<>(
              null, null, null, null, null, null, null, bytes, null, Freshness.UNSAID));
    }

    /**
     * How many entries there may be. Where there are more, some are evicted in the background,
     * those in memory last; listeners and the writer are not told, the statistics count it. See
     * {@link CacheOptions#maximumSize(long)} for how soon.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder<K, V> maximumSize(long entries) {
      return say(
          new CacheTuning<>(
              null, null, null, null, null, null, null, null, entries, Freshness.UNSAID));
    }

    /**
     * How old an entry may become before it is refreshed: from then on a read returns it at once
     * and has the loader asked in the background, once at a time for a key. The result replaces the
     * entry unless somebody has changed it meanwhile; listeners are told of an update, the writer
     * of nothing. If the loader fails, the entry is served until it expires, and tried again a
     * second later at the earliest. Of a cache that is not {@link #readThrough}, nothing is
     * refreshed. See {@link io.rockpool.cache.CacheRefresh} for what is bounded and counted.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder<K, V> softTtl(Duration ttl) {
      Objects.requireNonNull(ttl, "ttl");
      return say(new Freshness(ttl, null, null, null));
    }

    /**
     * The last part of an entry's life, from its writing to its expiry, in which it is refreshed as
     * after {@link #softTtl}, whichever comes first: 0.2 is the last fifth; 0 is none.
     *
     * @throws IllegalArgumentException if it is not from 0 to below 1
     */
    public Builder<K, V> refreshAhead(double fraction) {
      return say(new Freshness(null, fraction, null, null));
    }

    /**
     * By how much the time that an entry lives from its creation or update on is shortened at most,
     * at random, as a part of it: so entries that were written together do not expire together. 0
     * is none.
     *
     * @throws IllegalArgumentException if it is not from 0 to below 1
     */
    public Builder<K, V> jitter(double fraction) {
      return say(new Freshness(null, null, fraction, null));
    }

    /**
     * Whether what is in memory is brought back after a restart, in the background. The default is
     * that it is; {@link CacheOptions#warmRestart} says what that costs.
     */
    public Builder<K, V> warmRestart(boolean warm) {
      return say(new Freshness(null, null, null, warm));
    }

    /**
     * Sets what happens to values that cannot be encoded. The default is an error. A skipped value
     * still raises the event of a put.
     */
    public Builder<K, V> onUnencodable(OnUnencodable action) {
      Objects.requireNonNull(action, "action");
      return say(
          new CacheTuning<>(
              null, null, null, action, null, null, null, null, null, Freshness.UNSAID));
    }

    private Builder<K, V> say(Freshness more) {
      return say(new CacheTuning<>(null, null, null, null, null, null, null, null, null, more));
    }

    /** Makes the policy by which entries expire. The default is that they do not. */
    public Builder<K, V> expiry(Factory<? extends ExpiryPolicy> policies) {
      standard.setExpiryPolicyFactory(Objects.requireNonNull(policies, "policies"));
      return this;
    }

    /**
     * Stores by value, as is the default, or by reference: then everyone who asks for an entry in
     * memory is given the instance that was put, or first read, and sees what others do to it. The
     * disk keeps each value as it was when it was put, so that a restart, or an eviction from
     * memory, brings back that. Keys are always stored by value.
     */
    public Builder<K, V> storeByValue(boolean byValue) {
      standard.setStoreByValue(byValue);
      return this;
    }

    /** Makes the loader of {@code loadAll}, and of reads where {@link #readThrough} says so. */
    public Builder<K, V> loader(Factory<? extends CacheLoader<K, V>> loaders) {
      standard.setCacheLoaderFactory(Objects.requireNonNull(loaders, "loaders"));
      return this;
    }

    /** Whether a read of a key without an entry asks the loader. */
    public Builder<K, V> readThrough(boolean through) {
      standard.setReadThrough(through);
      return this;
    }

    /** Makes the writer that is told of every change where {@link #writeThrough} says so. */
    public Builder<K, V> writer(Factory<? extends CacheWriter<? super K, ? super V>> writers) {
      standard.setCacheWriterFactory(Objects.requireNonNull(writers, "writers"));
      return this;
    }

    /** Whether changes go through the writer. */
    public Builder<K, V> writeThrough(boolean through) {
      standard.setWriteThrough(through);
      return this;
    }

    /**
     * Adds a listener. One that is synchronous is told before the operation returns. The others are
     * told by one thread for the cache, in the order of the changes; at most 10,000 events wait for
     * it, and further ones are dropped, which is logged once and counted in {@link
     * RockpoolStatisticsMXBean#getDroppedEvents}.
     *
     * @throws IllegalArgumentException if it was added before
     */
    public Builder<K, V> listener(CacheEntryListenerConfiguration<K, V> listener) {
      standard.addCacheEntryListenerConfiguration(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /** Whether statistics are kept from the start. */
    public Builder<K, V> statistics(boolean enabled) {
      standard.setStatisticsEnabled(enabled);
      return this;
    }

    /** Whether the configuration can be seen by management consoles from the start. */
    public Builder<K, V> management(boolean enabled) {
      standard.setManagementEnabled(enabled);
      return this;
    }

    /** Returns the configuration, which later changes of this builder do not reach. */
    public RockpoolConfiguration<K, V> build() {
      return of(standard, said);
    }
  }
}

package io.rockpool.jcache;

import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.codec.Codec;
import io.rockpool.jcache.internal.config.CodeOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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
 * A cache's configuration: the options of the specification and those of Rockpool. Immutable: each
 * method that sets an option returns a copy. Serializable if its codecs, functions and factories
 * are.
 *
 * <pre>{@code
 * RockpoolConfiguration<String, Order> configuration =
 *     RockpoolConfiguration.of(String.class, Order.class)
 *         .expiry(ModifiedExpiryPolicy.factoryOf(Duration.ONE_HOUR))
 *         .hotEntries(10_000)
 *         .durability(Durability.SYNC);
 * Cache<String, Order> orders = manager.createCache("orders", configuration);
 * }</pre>
 *
 * <p>{@code createCache} takes it. {@code Cache.getConfiguration(RockpoolConfiguration.class)}
 * returns the cache's configuration, with the options that only a configuration file sets. An
 * option that neither sets is empty, and has its default.
 *
 * <p>{@link #softTtl(Duration)} and {@link #refreshAheadFactor(double)} have an effect only with
 * {@link #readThrough}. Listeners get an update event for a refreshed entry, and the writer is not
 * called. Evictions reach neither listeners nor the writer. A value that {@link #onUnencodable
 * skips} raises the event of a put.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class RockpoolConfiguration<K, V> extends CacheSettings<RockpoolConfiguration<K, V>>
    implements CompleteConfiguration<K, V> {
  private static final long serialVersionUID = 1L;

  /** Never changed, and never handed out. */
  private final MutableConfiguration<K, V> standard;

  private RockpoolConfiguration(MutableConfiguration<K, V> standard, OptionValues options) {
    super(options);
    this.standard = standard;
  }

  /** A configuration of a cache with keys and values of these types, without further options. */
  public static <K, V> RockpoolConfiguration<K, V> of(Class<K> keyType, Class<V> valueType) {
    MutableConfiguration<K, V> standard = new MutableConfiguration<>();
    standard.setTypes(
        Objects.requireNonNull(keyType, "keyType"), Objects.requireNonNull(valueType, "valueType"));
    return new RockpoolConfiguration<>(standard, OptionValues.NONE);
  }

  /** A configuration with all options of another one. */
  public static <K, V> RockpoolConfiguration<K, V> of(CompleteConfiguration<K, V> configuration) {
    return from(Objects.requireNonNull(configuration, "configuration"));
  }

  /** A copy of a configuration with these options. */
  static <K, V> RockpoolConfiguration<K, V> of(
      CompleteConfiguration<K, V> standard, OptionValues options) {
    return new RockpoolConfiguration<>(new MutableConfiguration<>(standard), options);
  }

  /** A copy of any configuration; an option that it does not have is the specification's. */
  static <K, V> RockpoolConfiguration<K, V> from(Configuration<K, V> given) {
    if (given instanceof RockpoolConfiguration<K, V> mine) {
      return mine;
    }
    if (given instanceof CompleteConfiguration<K, V> complete) {
      return of(complete, OptionValues.NONE);
    }
    return of(given.getKeyType(), given.getValueType()).storeByValue(given.isStoreByValue());
  }

  @Override
  protected RockpoolConfiguration<K, V> copy(OptionValues newValues) {
    return new RockpoolConfiguration<>(standard, newValues);
  }

  private RockpoolConfiguration<K, V> change(Consumer<MutableConfiguration<K, V>> change) {
    MutableConfiguration<K, V> copy = standard();
    change.accept(copy);
    return new RockpoolConfiguration<>(copy, values());
  }

  /** A copy of the specification's options. */
  MutableConfiguration<K, V> standard() {
    return new MutableConfiguration<>(standard);
  }

  /** Returns a copy with those of these options that are not set here. */
  RockpoolConfiguration<K, V> orElse(OptionValues options) {
    return copy(values().orElse(options));
  }

  /**
   * Sets the codec of keys. Equal keys must encode to equal bytes. The codec is not stored: after a
   * restart, {@code createCache} or a configuration file must give it again. A cache never opens
   * with a codec of another {@link Codec#id id}.
   */
  public RockpoolConfiguration<K, V> keyCodec(Codec<K> codec) {
    return set(CodeOptions.KEY_CODEC, codec);
  }

  /** The codec of keys; empty for the library's choice. */
  @SuppressWarnings("unchecked") // the setter checks the type
  public Optional<Codec<K>> keyCodec() {
    return Optional.ofNullable((Codec<K>) values().get(CodeOptions.KEY_CODEC));
  }

  /** Sets the codec of values; see {@link #keyCodec(Codec)}. */
  public RockpoolConfiguration<K, V> valueCodec(Codec<V> codec) {
    return set(CodeOptions.VALUE_CODEC, codec);
  }

  /** The codec of values; empty for the library's choice. */
  @SuppressWarnings("unchecked") // the setter checks the type
  public Optional<Codec<V>> valueCodec() {
    return Optional.ofNullable((Codec<V>) values().get(CodeOptions.VALUE_CODEC));
  }

  /**
   * Sets a function that returns how long an entry lives after a write, from its key and value. It
   * overrides the expiry policy at creation and update, unless it returns null or throws. An entry
   * with zero or less is not stored; it counts as put unless the cache has listeners or a writer.
   * {@code CacheExpiry.FOREVER} never expires. The expiry policy decides at reads. The function
   * runs on the calling thread and must be fast. Like codecs, it is not stored.
   */
  public RockpoolConfiguration<K, V> entryTtl(
      BiFunction<? super K, ? super V, @Nullable Duration> ttl) {
    return set(CodeOptions.ENTRY_TTL, ttl);
  }

  /** The function that returns how long an entry lives; empty for the expiry policy alone. */
  @SuppressWarnings("unchecked") // the setter checks the type
  public Optional<BiFunction<? super K, ? super V, @Nullable Duration>> entryTtl() {
    return Optional.ofNullable(
        (BiFunction<? super K, ? super V, @Nullable Duration>) values().get(CodeOptions.ENTRY_TTL));
  }

  /**
   * Sets a function that returns the tags of an entry, from its key and value: {@code
   * unwrap(PersistentCache.class).invalidateTag} removes all entries with a tag; see {@link
   * io.rockpool.cache.CacheOptions#tags}. Neither listeners nor a writer are called for them. Like
   * codecs, the function is not stored.
   */
  public RockpoolConfiguration<K, V> tags(
      BiFunction<? super K, ? super V, ? extends Collection<String>> tags) {
    return set(CodeOptions.TAGS, tags);
  }

  /** The function that returns the tags of an entry; empty for none. */
  @SuppressWarnings("unchecked") // the setter checks the type
  public Optional<BiFunction<? super K, ? super V, ? extends Collection<String>>> tags() {
    return Optional.ofNullable(
        (BiFunction<? super K, ? super V, ? extends Collection<String>>)
            values().get(CodeOptions.TAGS));
  }

  /** Sets the factory of the expiry policy. By default entries do not expire. */
  public RockpoolConfiguration<K, V> expiry(Factory<? extends ExpiryPolicy> policies) {
    Objects.requireNonNull(policies, "policies");
    return change(it -> it.setExpiryPolicyFactory(policies));
  }

  /**
   * Sets whether the cache stores by value, which is the default, or by reference. By reference,
   * all reads of an entry in memory return the instance that was put or first read, and see each
   * other's changes to it. The disk keeps the value as it was at the put, so a restart or an
   * eviction from memory restores that state. Keys are always stored by value.
   */
  public RockpoolConfiguration<K, V> storeByValue(boolean byValue) {
    return change(it -> it.setStoreByValue(byValue));
  }

  /** Sets the factory of the loader, for {@code loadAll} and, with {@link #readThrough}, reads. */
  public RockpoolConfiguration<K, V> loader(Factory<? extends CacheLoader<K, V>> loaders) {
    Objects.requireNonNull(loaders, "loaders");
    return change(it -> it.setCacheLoaderFactory(loaders));
  }

  /** Sets whether a read of an absent key calls the loader. */
  public RockpoolConfiguration<K, V> readThrough(boolean through) {
    return change(it -> it.setReadThrough(through));
  }

  /** Sets the factory of the writer that {@link #writeThrough} calls for each change. */
  public RockpoolConfiguration<K, V> writer(
      Factory<? extends CacheWriter<? super K, ? super V>> writers) {
    Objects.requireNonNull(writers, "writers");
    return change(it -> it.setCacheWriterFactory(writers));
  }

  /** Sets whether changes call the writer. */
  public RockpoolConfiguration<K, V> writeThrough(boolean through) {
    return change(it -> it.setWriteThrough(through));
  }

  /**
   * Makes the cache write behind: changes become pending with their entries, and a thread of the
   * cache calls {@link CacheWriter#writeAll} and {@link CacheWriter#deleteAll} later, with batches.
   * Implies {@link #writeThrough}. What is left in the collection when the writer throws has
   * failed, and only that is tried again. Changes in a transaction are accepted, and are pending
   * from its commit. See {@link io.rockpool.cache.CacheOptions#writeBehind} for all guarantees;
   * {@code unwrap(PersistentCache.class).writeBehind()} flushes. Like the writer, this is not
   * stored: the next {@code createCache} must give both, and until then pending changes are kept.
   */
  public RockpoolConfiguration<K, V> writeBehind(WriteBehindOptions options) {
    return writeThrough(true).set(CodeOptions.WRITE_BEHIND, options);
  }

  /** How the writer is called later; empty if changes call it at once. */
  public Optional<WriteBehindOptions> writeBehind() {
    return Optional.ofNullable((WriteBehindOptions) values().get(CodeOptions.WRITE_BEHIND));
  }

  /**
   * Adds a listener. A synchronous listener is called before the operation returns. The other
   * listeners are called by one thread per cache, in the order of the changes. At most 10,000
   * events wait for this thread. Further events are dropped, logged once, and counted in {@link
   * RockpoolStatisticsMXBean#getDroppedEvents}.
   *
   * @throws IllegalArgumentException if it was added before
   */
  public RockpoolConfiguration<K, V> listener(CacheEntryListenerConfiguration<K, V> listener) {
    Objects.requireNonNull(listener, "listener");
    return change(it -> it.addCacheEntryListenerConfiguration(listener));
  }

  /** Sets whether the cache has statistics from the start. */
  public RockpoolConfiguration<K, V> statistics(boolean enabled) {
    return change(it -> it.setStatisticsEnabled(enabled));
  }

  /** Sets whether management consoles see the configuration from the start. */
  public RockpoolConfiguration<K, V> management(boolean enabled) {
    return change(it -> it.setManagementEnabled(enabled));
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
  @SuppressWarnings("NullAway") // the specification returns null if there is none
  public Factory<CacheLoader<K, V>> getCacheLoaderFactory() {
    return standard.getCacheLoaderFactory();
  }

  @Override
  @SuppressWarnings("NullAway") // the specification returns null if there is none
  public Factory<CacheWriter<? super K, ? super V>> getCacheWriterFactory() {
    return standard.getCacheWriterFactory();
  }

  @Override
  public Factory<ExpiryPolicy> getExpiryPolicyFactory() {
    return standard.getExpiryPolicyFactory();
  }

  /** Whether the other is a configuration of this class with equal options. */
  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && standard.equals(((RockpoolConfiguration<?, ?>) Objects.requireNonNull(other)).standard);
  }

  @Override
  public int hashCode() {
    return Objects.hash(standard, values());
  }
}

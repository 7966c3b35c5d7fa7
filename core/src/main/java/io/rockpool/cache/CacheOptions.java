package io.rockpool.cache;

import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.Codec;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The options of a cache. Immutable: each method with a parameter returns a copy with one option
 * set. Usually they are set where the cache is opened:
 *
 * <pre>{@code
 * PersistentCache<String, Order> orders =
 *     pool.cache(
 *         "orders",
 *         String.class,
 *         Order.class,
 *         o -> o.expiry(CacheExpiry.afterWrite(ofHours(1))).hotEntries(10_000));
 * }</pre>
 *
 * <p>Options that describe the data are kept with the cache's name. Opening the name later, also in
 * another process, uses the kept value of each option that is not set; a value that is set replaces
 * the kept one.
 *
 * <table>
 *   <caption>What is kept</caption>
 *   <tr><th>kept with the name</th><td>{@code expiry} of fixed durations, {@code jitter}, {@code
 *       softTtl}, {@code refreshAheadFactor}, {@code diskBudgetBytes}, {@code maximumSize}, {@code
 *       version}, {@code changes}, {@code attributes}</td></tr>
 *   <tr><th>kept, cannot change</th><td>the types and the ids of the codecs</td></tr>
 *   <tr><th>not kept</th><td>everything else, and an {@code expiry} that is a function</td></tr>
 * </table>
 *
 * <p>To remove a kept option, set {@link CacheExpiry#never()}, 0 for a fraction, {@link
 * CacheExpiry#FOREVER} for a duration or {@link Long#MAX_VALUE} for a limit. If the expiry was a
 * function, opening the cache without one logs a warning, and new entries do not expire.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class CacheOptions<K, V> extends CacheSettings<CacheOptions<K, V>> {
  private static final long serialVersionUID = 1L;

  static final CacheOption<Object> EXPIRY = CacheOption.code("expiry");
  private static final CacheOption<Object> KEY_CODEC = CacheOption.code("keyCodec");
  private static final CacheOption<Object> VALUE_CODEC = CacheOption.code("valueCodec");
  private static final CacheOption<Object> CLASS_LOADER = CacheOption.code("classLoader");
  private static final CacheOption<OnConflict> ON_CONFLICT =
      CacheOption.choice("onConflict", OnConflict.class);
  private static final CacheOption<OnUndecodable> ON_UNDECODABLE =
      CacheOption.choice("onUndecodable", OnUndecodable.class);
  private static final CacheOption<Boolean> SHARES_VALUES = CacheOption.flag("sharesValues");
  private static final CacheOption<Object> REFRESH_LOADER = CacheOption.code("refreshLoader");
  private static final CacheOption<Object> REFRESH_EXECUTOR = CacheOption.code("refreshExecutor");
  private static final CacheOption<Object> WRITE_BEHIND = CacheOption.code("writeBehind");
  private static final CacheOption<Object> CHANGES = CacheOption.code("changes");
  private static final CacheOption<Object> TAGS = CacheOption.code("tags");
  private static final CacheOption<Object> ATTRIBUTES = CacheOption.code("attributes");

  private static final CacheOptions<?, ?> UNSET = new CacheOptions<>(OptionValues.NONE);

  /** The values of options that are not set. */
  static final OptionValues DEFAULTS =
      UNSET
          .expiry(CacheExpiry.never())
          .onConflict(OnConflict.FAIL)
          .onUndecodable(OnUndecodable.MISS)
          .onUnencodable(OnUnencodable.FAIL)
          .sharesValues(false)
          .refreshAheadFactor(0)
          .refreshRetryPause(CacheRefresh.DEFAULT_RETRY_PAUSE)
          .jitter(0)
          .warmRestart(true)
          .evolve(false)
          .attributes(Map.of())
          .values();

  /** What opening does if the name holds another type, key type, value type or codec. */
  public enum OnConflict {
    /** Fails with a {@link io.rockpool.error.NameConflictException} and changes nothing. */
    FAIL,
    /** Removes the old content, counts a reset, and starts empty. */
    RESET
  }

  /** What a read does with a value that cannot be decoded. */
  public enum OnUndecodable {
    /** Counts it, removes the entry, and treats the read as a miss. */
    MISS,
    /** Fails with an {@link io.rockpool.error.UndecodableValueException} and keeps the entry. */
    FAIL
  }

  /** What a write does with a value that cannot be encoded, such as one that holds a thread. */
  public enum OnUnencodable {
    /**
     * Counts the value, logs it once per class, and removes the entry of its key, so that no read
     * returns the old value. If the value was loaded, the callers of the load still get it.
     * Listeners of a JCache are notified of a removal if there was an entry. Its statistics count
     * no put.
     */
    SKIP,
    /** Fails with an {@link io.rockpool.error.UnencodableValueException} and changes nothing. */
    FAIL
  }

  private CacheOptions(OptionValues values) {
    super(values);
  }

  /**
   * The defaults: no expiry, no refresh, no limit on disk, a share of the {@link HeapBudget} in
   * memory, the store's durability and codecs. Opening fails on a conflict, an undecodable value is
   * a miss, and a value that cannot be encoded is an error.
   */
  @SuppressWarnings("unchecked") // it holds no value of these types
  public static <K, V> CacheOptions<K, V> defaults() {
    return (CacheOptions<K, V>) UNSET;
  }

  @Override
  protected CacheOptions<K, V> copy(OptionValues newValues) {
    return new CacheOptions<>(newValues);
  }

  /** The value of an option that has a default. */
  private <T> T valueOf(CacheOption<T> option) {
    T value = values().get(option);
    return value == null ? Objects.requireNonNull(DEFAULTS.get(option)) : value;
  }

  /** Sets how long entries live. By default they do not expire. */
  public CacheOptions<K, V> expiry(CacheExpiry<? super K, ? super V> expiry) {
    return set(EXPIRY, expiry);
  }

  /** The expiry policy of entries, with the jitter applied. */
  @SuppressWarnings("unchecked") // the setter checks the type
  CacheExpiry<? super K, ? super V> expiry() {
    CacheExpiry<? super K, ? super V> expiry = (CacheExpiry<? super K, ? super V>) valueOf(EXPIRY);
    double jitter = jitter().orElse(0);
    return jitter == 0 ? expiry : new JitteredExpiry<>(expiry, jitter);
  }

  /** Sets the codec of keys. Equal keys must encode to equal bytes. */
  public CacheOptions<K, V> keyCodec(Codec<K> codec) {
    return set(KEY_CODEC, codec);
  }

  @SuppressWarnings("unchecked") // the setter checks the type
  @Nullable Codec<K> keyCodec() {
    return (Codec<K>) values().get(KEY_CODEC);
  }

  /** Sets the codec of values. */
  public CacheOptions<K, V> valueCodec(Codec<V> codec) {
    return set(VALUE_CODEC, codec);
  }

  @SuppressWarnings("unchecked") // the setter checks the type
  @Nullable Codec<V> valueCodec() {
    return (Codec<V>) values().get(VALUE_CODEC);
  }

  /** Sets the loader of the classes of keys and values, instead of the store's. */
  public CacheOptions<K, V> classLoader(ClassLoader loader) {
    return set(CLASS_LOADER, loader);
  }

  @Nullable ClassLoader classLoader() {
    return (ClassLoader) values().get(CLASS_LOADER);
  }

  /** Sets what opening does if the name holds another type or codec. */
  public CacheOptions<K, V> onConflict(OnConflict action) {
    return set(ON_CONFLICT, action);
  }

  OnConflict onConflict() {
    return valueOf(ON_CONFLICT);
  }

  /** Sets what a read does with a value that cannot be decoded. */
  public CacheOptions<K, V> onUndecodable(OnUndecodable action) {
    return set(ON_UNDECODABLE, action);
  }

  OnUndecodable onUndecodable() {
    return valueOf(ON_UNDECODABLE);
  }

  /**
   * Sets whether readers share the instances of values in memory; false by default. If they do,
   * every read of an entry in memory returns the same instance: the one that was put, or the first
   * one that was decoded. If a caller changes it, the other callers see that. The disk keeps the
   * value as it was put, and a read returns that one after the entry has left memory. A cache
   * without entries in memory shares nothing. Sharing saves one decoding per read of a value that
   * is not known to be immutable.
   */
  public CacheOptions<K, V> sharesValues(boolean shared) {
    return set(SHARES_VALUES, shared);
  }

  boolean sharesValues() {
    return valueOf(SHARES_VALUES);
  }

  /**
   * Sets the loader that refreshes values. {@link PersistentCache#refresh} calls it. So does a read
   * without a loader that finds a due value; see {@link #softTtl(Duration)} and {@link
   * #refreshAheadFactor(double)}. The loader is called without a lock and may use any cache. Reads
   * of absent keys do not call it.
   */
  public CacheOptions<K, V> refreshLoader(ValueLoader<? super K, ? extends @Nullable V> loader) {
    return set(REFRESH_LOADER, loader);
  }

  /**
   * Sets the executor of refreshes. If it throws a {@link
   * java.util.concurrent.RejectedExecutionException}, the refresh does not start. A task that has
   * not started after a minute counts as lost, and a later read tries again. The cache does not
   * close the executor.
   */
  public CacheOptions<K, V> refreshExecutor(Executor executor) {
    return set(REFRESH_EXECUTOR, executor);
  }

  /** How values are refreshed; null if values are never due and there is no refresh loader. */
  @SuppressWarnings("unchecked") // the setter checks the type
  @Nullable CacheRefresh<K, V> refresh() {
    ValueLoader<? super K, ? extends @Nullable V> loader =
        (ValueLoader<? super K, ? extends @Nullable V>) values().get(REFRESH_LOADER);
    return refreshes() || loader != null
        ? new CacheRefresh<>(
            softTtl().orElse(null),
            refreshAheadFactor().orElse(0),
            loader,
            (Executor) values().get(REFRESH_EXECUTOR),
            valueOf(REFRESH_RETRY_PAUSE))
        : null;
  }

  /** As {@link #writeBehind(BatchWriter, WriteBehindOptions)}, with the defaults. */
  public CacheOptions<K, V> writeBehind(BatchWriter<K, V> writer) {
    return writeBehind(writer, WriteBehindOptions.defaults());
  }

  /**
   * Sets a writer to which the cache writes its changes later: a thread of the cache calls it with
   * batches. By default no writer is called.
   *
   * <p><b>What is written.</b> Puts and removals by a call, with the value that was put, even if
   * its entry has expired or was evicted meanwhile. Loaded and refreshed values, expiry, evictions
   * and {@link PersistentCache#clear} are not written. A removal is written whether the cache has
   * an entry or not, unless it depends on the value.
   *
   * <p><b>Durability.</b> A change is pending from the commit that changes the entry: both are one
   * write, with the durability of the cache. In {@link io.rockpool.engine.Engine#atomically} that
   * is the commit of the transaction. It survives {@code kill -9}, and is pending until the writer
   * has written it. So each change is written at least once. It is written again only if the
   * process or the acknowledgement fails between the write and the acknowledgement.
   *
   * <p><b>Order.</b> A key has one pending change, which later ones replace, so the writer may not
   * get every value. It gets the changes of a key one after the other. Among keys, older changes
   * are written first.
   *
   * <p><b>Reads.</b> A load of a key with a pending change does not call the loader: its value is
   * the pending one, or null after a removal. Entries with pending changes are not evicted.
   *
   * <p><b>Failures.</b> See {@link WriteBehindOptions}. {@link PersistentCache#writeBehind}
   * flushes, and lists what was given up.
   *
   * <p><b>Without the writer,</b> pending changes are kept, and opening the cache logs how many. A
   * change of such a key replaces the pending one; other changes are not written.
   *
   * <p>A change costs three native calls. A value that cannot be encoded is an error, whatever
   * {@link #onUnencodable} says. The engine needs {@link
   * io.rockpool.engine.Capability#MULTI_ROW_TRANSACTIONS} and must not be {@link
   * io.rockpool.engine.Capability#SHARED}.
   */
  public CacheOptions<K, V> writeBehind(BatchWriter<K, V> writer, WriteBehindOptions options) {
    return set(
        WRITE_BEHIND,
        new Writing<>(
            Objects.requireNonNull(writer, "writer"), Objects.requireNonNull(options, "options")));
  }

  /** A writer with its options. */
  record Writing<K, V>(BatchWriter<K, V> writer, WriteBehindOptions options) {}

  /** The writer of changes; null for none. */
  @SuppressWarnings("unchecked") // the setter checks the type
  @Nullable Writing<K, V> writing() {
    return (Writing<K, V>) values().get(WRITE_BEHIND);
  }

  /**
   * Sets whether the changes are kept in a feed, and how long; see {@link
   * io.rockpool.change.ChangeFeed}. Each write of a cache with a feed is a transaction that also
   * writes the log. Loaded values are puts; evicted entries leave no change.
   */
  public CacheOptions<K, V> changes(ChangeOptions feed) {
    return set(CHANGES, feed);
  }

  /** The options of the change feed; empty if they were not set. */
  public Optional<ChangeOptions> changes() {
    return Optional.ofNullable((ChangeOptions) values().get(CHANGES));
  }

  /**
   * Sets a function that returns the tags of each value that is put, loaded or computed: {@link
   * PersistentCache#invalidateTag} removes all entries with a tag. By default entries have the tags
   * of {@link PersistentCache#put(Object, Object, Set)} only.
   *
   * <p>The function gets the key and the value. It runs on the thread of the write, without a lock,
   * and should be fast. It may be called several times for a write. An exception reaches the caller
   * and leaves the entry unchanged. The tags are stored with the entry: if the function changes,
   * entries keep the tags that they were written with.
   *
   * <p>If a tag is invalidated while a value with it is loaded, refreshed or computed, the value is
   * returned, and no later read returns it.
   *
   * @throws UnsupportedOperationException when a cache is opened on an engine that keeps caches
   *     only, such as Redis
   */
  public CacheOptions<K, V> tags(
      BiFunction<? super K, ? super V, ? extends Collection<String>> tags) {
    return set(TAGS, tags);
  }

  /** Returns the tags of values; null for none. */
  @SuppressWarnings("unchecked") // the setter checks the type
  @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> tagger() {
    return (BiFunction<? super K, ? super V, ? extends Collection<String>>) values().get(TAGS);
  }

  /**
   * Sets attributes that are stored with the name. Opening without attributes keeps the old ones.
   */
  public CacheOptions<K, V> attributes(Map<String, String> attributes) {
    return set(ATTRIBUTES, Map.copyOf(attributes));
  }

  @SuppressWarnings("unchecked") // the setter checks the type
  Map<String, String> attributes() {
    return (Map<String, String>) valueOf(ATTRIBUTES);
  }
}

package io.rockpool.cache;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.store.Durability;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The options that a cache has in code, in JCache's configuration and in Spring's. Immutable: each
 * method with a parameter returns a copy with one option set. Each method without a parameter
 * returns a value, empty if it was not set.
 *
 * <p>An option consists of its description here, in {@link #OPTIONS}, and of its two methods. HOCON
 * files, the configuration stored with a cache, and defaults follow from the description.
 *
 * @param <S> the type of the copies
 */
public abstract class CacheSettings<S extends CacheSettings<S>> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** See {@link #hotSize(HotSize)}. */
  public static final CacheOption<HotSize> HOT_SIZE = CacheOption.hotSize("hotSize");

  /** See {@link #durability(Durability)}. */
  public static final CacheOption<Durability> DURABILITY =
      CacheOption.choice("durability", Durability.class);

  /** See {@link #onUnencodable(OnUnencodable)}. */
  public static final CacheOption<OnUnencodable> ON_UNENCODABLE =
      CacheOption.choice("onUnencodable", OnUnencodable.class);

  /** See {@link #diskBudgetBytes(long)}. */
  public static final CacheOption<Long> DISK_BUDGET =
      CacheOption.bytes("diskBudgetBytes").key("disk-budget").positive();

  /** See {@link #maximumSize(long)}. */
  public static final CacheOption<Long> MAXIMUM_SIZE = CacheOption.number("maximumSize").positive();

  /** See {@link #softTtl(Duration)}. */
  public static final CacheOption<Duration> SOFT_TTL = CacheOption.duration("softTtl").positive();

  /** See {@link #refreshAheadFactor(double)}. */
  public static final CacheOption<Double> REFRESH_AHEAD_FACTOR =
      CacheOption.fraction("refreshAheadFactor");

  /** See {@link #refreshRetryPause(Duration)}. */
  public static final CacheOption<Duration> REFRESH_RETRY_PAUSE =
      CacheOption.duration("refreshRetryPause").positive();

  /** See {@link #jitter(double)}. */
  public static final CacheOption<Double> JITTER = CacheOption.fraction("jitter");

  /** See {@link #warmRestart(boolean)}. */
  public static final CacheOption<Boolean> WARM_RESTART = CacheOption.flag("warmRestart");

  /** The options of every cache that have a text. */
  public static final List<CacheOption<?>> OPTIONS =
      List.of(
          HOT_SIZE,
          DURABILITY,
          ON_UNENCODABLE,
          DISK_BUDGET,
          MAXIMUM_SIZE,
          SOFT_TTL,
          REFRESH_AHEAD_FACTOR,
          REFRESH_RETRY_PAUSE,
          JITTER,
          WARM_RESTART);

  private final OptionValues values;

  /** Settings with these options. */
  protected CacheSettings(OptionValues values) {
    this.values = Objects.requireNonNull(values, "values");
  }

  /** Returns a copy with these options instead. */
  protected abstract S copy(OptionValues newValues);

  /** The options that were set. */
  public final OptionValues values() {
    return values;
  }

  /**
   * Sets an option by its description.
   *
   * @throws IllegalArgumentException if the value is out of range
   */
  public final <T> S set(CacheOption<T> option, T value) {
    return copy(values.with(option, value));
  }

  /** Sets all of these options. */
  public final S setAll(OptionValues newValues) {
    return copy(newValues.orElse(values));
  }

  /**
   * Sets how much of the cache stays in memory, as a number of entries or of bytes; 0 for nothing.
   * These entries are not part of the {@link HeapBudget}. If this is not set, the cache has a share
   * of the heap budget, by use.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public final S hotSize(HotSize size) {
    return set(HOT_SIZE, size);
  }

  /** How much stays in memory; see {@link #hotSize(HotSize)}. */
  public final Optional<HotSize> hotSize() {
    return Optional.ofNullable(values.get(HOT_SIZE));
  }

  /** Sets the {@link #hotSize(HotSize)} as a number of entries, whatever their size. */
  public final S hotEntries(long entries) {
    return hotSize(HotSize.entries(entries));
  }

  /** Sets the {@link #hotSize(HotSize)} as bytes of entries, as encoded and with their overhead. */
  public final S hotBytes(long bytes) {
    return hotSize(HotSize.bytes(bytes));
  }

  /** Whether the cache keeps no entries in memory. */
  public final boolean isCold() {
    return hotSize().filter(size -> size.amount() == 0).isPresent();
  }

  /**
   * Sets the durability of the cache's writes. The default is the store's durability. {@link
   * io.rockpool.Rockpool#withDurability} overrides both for single calls.
   */
  public final S durability(Durability durability) {
    return set(DURABILITY, durability);
  }

  /** The durability of writes; see {@link #durability(Durability)}. */
  public final Optional<Durability> durability() {
    return Optional.ofNullable(values.get(DURABILITY));
  }

  /**
   * Sets what a write does with a value that cannot be encoded. The default is {@link
   * OnUnencodable#FAIL}, and {@link OnUnencodable#SKIP} for caches of Spring.
   */
  public final S onUnencodable(OnUnencodable action) {
    return set(ON_UNENCODABLE, action);
  }

  /** What a write does with such values; see {@link #onUnencodable(OnUnencodable)}. */
  public final Optional<OnUnencodable> onUnencodable() {
    return Optional.ofNullable(values.get(ON_UNENCODABLE));
  }

  /**
   * Sets about how many bytes the entries may use on disk, as compressed. The default is no limit.
   * Beyond it, a thread of the store evicts entries until a tenth of the budget is free. It evicts
   * in the order of the keys from where it stopped the last time, entries in memory last. So which
   * entries it evicts is a matter of chance. Evictions are not reported to listeners; {@link
   * CacheStatistics#evictions} counts them. The disk space goes back to the file system. Expired
   * and overwritten data is reclaimed first and does not count.
   *
   * <p>The store checks once a second, so a fast writer can exceed the budget for a while. Entries
   * that an open snapshot shows are not evicted twice. The budget holds while the cache is open. If
   * one name is open several times, the smallest budget holds.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public final S diskBudgetBytes(long bytes) {
    return set(DISK_BUDGET, bytes);
  }

  /** The bytes that entries may use on disk; see {@link #diskBudgetBytes(long)}. */
  public final OptionalLong diskBudgetBytes() {
    return number(DISK_BUDGET);
  }

  /**
   * Sets the maximum number of entries on disk. The default is no limit. Beyond it, a thread of the
   * store evicts entries, chosen as for {@link #diskBudgetBytes(long)}. Expired entries do not
   * count.
   *
   * <p>A put does not know whether it replaces an entry. So the store counts the entries when the
   * cache is opened, after each sixteenth of the maximum that was put, and when the puts stop.
   * Until the count is done, there can be a sixteenth more than the maximum, and the entries that
   * were put meanwhile. Counting reads all entries, about a million a second.
   *
   * <p>The maximum holds while the cache is open. If one name is open several times, the smallest
   * maximum holds.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public final S maximumSize(long entries) {
    return set(MAXIMUM_SIZE, entries);
  }

  /** The maximum number of entries; see {@link #maximumSize(long)}. */
  public final OptionalLong maximumSize() {
    return number(MAXIMUM_SIZE);
  }

  /**
   * Sets the age from which a value is <em>due</em>. The default is that values become too old only
   * when they expire. A read of a due value returns it at once and refreshes it in the background.
   * Values that are not read are not refreshed, and expire.
   *
   * <p><b>Loader.</b> A refresh calls the loader of the read, such as that of {@link
   * PersistentCache#get(Object, ValueLoader)}; else {@link CacheOptions#refreshLoader}, or the
   * loader of a read-through JCache. Without a loader the value is served until it expires.
   *
   * <p><b>Result.</b> The loaded value replaces the old one like a put, with the expiry that the
   * policy gives it; null removes the entry. If the key was put, removed or cleared since the
   * refresh began, the result is dropped. A read of a key that expired during its refresh gets the
   * result too, and does not load.
   *
   * <p><b>Failure.</b> If the loader throws, the value is served until it expires. The key is
   * refreshed again after {@link #refreshRetryPause(Duration)} at the earliest. The first of
   * several failures in a row is logged, and all are counted. Running refreshes and pauses are lost
   * with the process.
   *
   * <p><b>Limits.</b> A key has one refresh at a time. Refreshes run on four threads of the cache,
   * and 256 wait at most; {@link CacheOptions#refreshExecutor} replaces these threads. A refresh
   * beyond the limits is rejected and counted, and a later read tries again. At most 8,192 keys are
   * being refreshed or in their pause.
   *
   * <p><b>Entries without a due time</b> were written before the cache had a refresh, or by a cache
   * without one. They are due at once.
   *
   * <p><b>Transactions</b> read due values and do not refresh them.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public final S softTtl(Duration age) {
    return set(SOFT_TTL, age);
  }

  /** The age from which a value is due; see {@link #softTtl(Duration)}. */
  public final Optional<Duration> softTtl() {
    return Optional.ofNullable(values.get(SOFT_TTL));
  }

  /**
   * Sets the part of an entry's life after which its value is due, too: with 0.8, a read in the
   * last fifth refreshes it; 0, the default, turns this off. The life is the time from the write to
   * the expiry, so values that never expire are never due by this. See {@link #softTtl(Duration)}.
   *
   * @throws IllegalArgumentException if it is not from 0 to below 1
   */
  public final S refreshAheadFactor(double factor) {
    return set(REFRESH_AHEAD_FACTOR, factor);
  }

  /** The part of a life after which a value is due; see {@link #refreshAheadFactor(double)}. */
  public final OptionalDouble refreshAheadFactor() {
    return fraction(REFRESH_AHEAD_FACTOR);
  }

  /**
   * Sets how long a key is not refreshed after its refresh has failed; one second by default. A
   * longer pause spares a source that is down.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public final S refreshRetryPause(Duration pause) {
    return set(REFRESH_RETRY_PAUSE, pause);
  }

  /** The pause after a failed refresh; see {@link #refreshRetryPause(Duration)}. */
  public final Optional<Duration> refreshRetryPause() {
    return Optional.ofNullable(values.get(REFRESH_RETRY_PAUSE));
  }

  /** Whether the cache refreshes values. */
  public final boolean refreshes() {
    return softTtl().isPresent() || refreshAheadFactor().orElse(0) > 0;
  }

  /**
   * Sets the largest part by which an entry's life is shortened at random: 0.1 is a tenth; 0, the
   * default, is none. So entries that were written together do not expire together. See {@link
   * CacheExpiry#withJitter}.
   *
   * @throws IllegalArgumentException if it is not from 0 to below 1
   */
  public final S jitter(double fraction) {
    return set(JITTER, fraction);
  }

  /** The largest part by which an entry's life is shortened; see {@link #jitter(double)}. */
  public final OptionalDouble jitter() {
    return fraction(JITTER);
  }

  /**
   * Sets whether the entries in memory are restored after a restart; true by default. The store
   * saves which keys are in memory when it closes, and every five minutes in which the cache was
   * used: 2 MiB at most, often less. After opening, a thread of the store reads the entries of
   * these keys as they are then, with half of a processor at most. Opening does not wait for it.
   */
  public final S warmRestart(boolean warm) {
    return set(WARM_RESTART, warm);
  }

  /** Whether the entries in memory are restored; see {@link #warmRestart(boolean)}. */
  public final Optional<Boolean> warmRestart() {
    return Optional.ofNullable(values.get(WARM_RESTART));
  }

  private OptionalLong number(CacheOption<Long> option) {
    Long number = values.get(option);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private OptionalDouble fraction(CacheOption<Double> option) {
    Double number = values.get(option);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CacheSettings<?> settings
        && getClass() == settings.getClass()
        && values.equals(settings.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + values;
  }
}

package io.rockpool.cache;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codecs;
import io.rockpool.internal.format.Utf8;
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
 * The options that caches share in code, in configurations of JCache and in Spring. Immutable: each
 * method with a parameter returns a copy with one option set. Each method without a parameter
 * returns a value, empty if it was not set.
 *
 * <p>Each option has a description in {@link #OPTIONS} and two methods here. HOCON files, stored
 * configurations and defaults use the description.
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

  /** See {@link #version(String)}. */
  public static final CacheOption<String> VERSION = CacheOption.text("version");

  /** See {@link #evolve(boolean)}. */
  public static final CacheOption<Boolean> EVOLVE = CacheOption.flag("evolve");

  /** The options of every cache that can be written as text. */
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
          WARM_RESTART,
          VERSION,
          EVOLVE);

  private final OptionValues values;

  /** Creates settings with these options. */
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
    if (VERSION.equals(option) && value != null) {
      byte[] unused = Utf8.bytes("The version of a cache", value.toString());
    }
    return copy(values.with(option, value));
  }

  /** Sets every option that {@code newValues} has, and keeps the others. */
  public final S setAll(OptionValues newValues) {
    return copy(newValues.orElse(values));
  }

  /**
   * Sets how much of the cache stays in memory, as a number of entries or of bytes; 0 keeps nothing
   * in memory. These entries are not part of the {@link HeapBudget}. If this is not set, the cache
   * has a share of the heap budget, which depends on its use.
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

  /** Sets the {@link #hotSize(HotSize)} as bytes: encoded entries with their overhead. */
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

  /** How unencodable values are treated; see {@link #onUnencodable(OnUnencodable)}. */
  public final Optional<OnUnencodable> onUnencodable() {
    return Optional.ofNullable(values.get(ON_UNENCODABLE));
  }

  /**
   * Sets about how many compressed bytes the entries may use on disk. The default is no limit. If
   * they use more, a thread of the store evicts entries until a tenth of the budget is free. It
   * continues in the order of the keys from where it stopped the last time, and evicts entries in
   * memory last. So which entries it evicts is a matter of chance. Evictions are not reported to
   * listeners; {@link CacheStatistics#evictions} counts them. The disk space is returned to the
   * file system. Expired and overwritten data does not count: the store reclaims it before it
   * evicts.
   *
   * <p>Writers can exceed the budget by about half and 2 MB. From an eighth on, each write waits
   * for evictions after it was made, for up to a second; it does not fail. One transaction is
   * written whole. While an open snapshot keeps evicted entries on disk, eviction pauses and writes
   * do not wait. The budget holds while the cache is open. If one name is open several times, the
   * smallest budget holds.
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
   * Sets the maximum number of entries on disk. The default is no limit. If there are more, a
   * thread of the store evicts entries, chosen as for {@link #diskBudgetBytes(long)}. Expired
   * entries do not count.
   *
   * <p>A put does not know whether it replaces an entry. So the store counts the entries: when the
   * cache is opened, each time that a sixteenth of the maximum was put, and when the puts stop.
   * Between counts, the cache can exceed the maximum by a sixteenth and by the entries that are put
   * during a count. A count reads all entries, about a million a second.
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
   * Sets the age from which a value is <em>due</em>. By default, values are never due before they
   * expire. A read of a due value returns it immediately and refreshes it in the background. Values
   * that are not read are not refreshed, and expire.
   *
   * <p><b>Loader.</b> A refresh calls the loader that the read was given, as in {@link
   * PersistentCache#get(Object, ValueLoader)}. A read without one uses {@link
   * CacheOptions#refreshLoader}, or the loader of a read-through JCache. Without any loader, reads
   * return the value until it expires.
   *
   * <p><b>Result.</b> The loaded value replaces the old one like a put, with the expiry that the
   * policy gives it; null removes the entry. If the key was put, removed or cleared since the
   * refresh began, the result is dropped. If the entry expires during the refresh, a read with a
   * loader waits for the result instead of loading.
   *
   * <p><b>Failure.</b> If the loader throws, reads return the value until it expires. The next
   * refresh of the key starts after {@link #refreshRetryPause(Duration)} at the earliest. The first
   * of several failures in a row is logged, and all are counted. Running refreshes and pauses are
   * lost with the process.
   *
   * <p><b>Limits.</b> A key has one refresh at a time. Refreshes run on four threads of the cache,
   * with a queue of 256; {@link CacheOptions#refreshExecutor} replaces these threads. At most 8,192
   * keys are being refreshed or in the pause after a failure. A refresh beyond the limits is
   * rejected and counted, and a later read tries again.
   *
   * <p><b>Entries without a due time</b> were written by a cache that did not refresh values. They
   * are due immediately.
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
   * Sets the fraction of an entry's life after which its value is due: with 0.8, a read in the last
   * fifth refreshes the value. The default, 0, turns this off. The life is the time from the write
   * to the expiry, so this has no effect on values that never expire. With {@link
   * #softTtl(Duration)}, the earlier of the two times counts.
   *
   * @throws IllegalArgumentException if it is not from 0 to below 1
   */
  public final S refreshAheadFactor(double factor) {
    return set(REFRESH_AHEAD_FACTOR, factor);
  }

  /** The fraction of a life after which a value is due; see {@link #refreshAheadFactor(double)}. */
  public final OptionalDouble refreshAheadFactor() {
    return fraction(REFRESH_AHEAD_FACTOR);
  }

  /**
   * Sets the pause between a failed refresh of a key and its next one; one second by default. With
   * a longer pause, a source that is down gets fewer calls.
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
   * Sets the largest fraction by which an entry's life is shortened at random: 0.1 shortens it by
   * up to a tenth. The default is 0. Entries that were written together then expire at different
   * times. See {@link CacheExpiry#withJitter}.
   *
   * @throws IllegalArgumentException if it is not from 0 to below 1
   */
  public final S jitter(double fraction) {
    return set(JITTER, fraction);
  }

  /** The largest fraction by which a life is shortened; see {@link #jitter(double)}. */
  public final OptionalDouble jitter() {
    return fraction(JITTER);
  }

  /**
   * Sets whether the entries in memory are restored after a restart; true by default. The store
   * saves the keys of these entries, up to 2 MiB, when it closes and every five minutes in which
   * the cache was used. After opening, a thread of the store reads the current entries of these
   * keys. It uses at most half of a processor, and opening does not wait for it.
   */
  public final S warmRestart(boolean warm) {
    return set(WARM_RESTART, warm);
  }

  /** Whether the entries in memory are restored; see {@link #warmRestart(boolean)}. */
  public final Optional<Boolean> warmRestart() {
    return Optional.ofNullable(values.get(WARM_RESTART));
  }

  /**
   * Sets the version of what the cache holds, which is kept with its name. Opening a cache that was
   * written with another version, or without one, clears it: in constant time, with one line in the
   * log, and before a read can return an entry. Opening it without a version keeps the entries.
   *
   * <p>Change it when entries no longer mean the same although their classes do, such as after a
   * migration or a restore of the database whose rows they mirror. A clear does not end other
   * processes' use of a shared store: while two versions run at a time, give each its own name.
   */
  public final S version(String version) {
    return set(VERSION, version);
  }

  /** The version of what the cache holds; see {@link #version(String)}. */
  public final Optional<String> version() {
    return Optional.ofNullable(values.get(VERSION));
  }

  /**
   * Sets what a read does with a value of a class that has a field which the value lacks, because
   * the field was added or renamed since. By default, and with false, the value is undecodable: a
   * miss that is counted, and removes the entry; the log names the class and the fields, once. With
   * true, such a field is null or zero. Fields that are gone or have another order are a hit either
   * way. Values of an application's own codec are not compared. A change that a writer has yet to
   * write is never completed with null or zero: it becomes a dead letter.
   */
  public final S evolve(boolean evolves) {
    return set(EVOLVE, evolves);
  }

  /** Whether values of classes with new fields are read; see {@link #evolve(boolean)}. */
  public final Optional<Boolean> evolve() {
    return Optional.ofNullable(values.get(EVOLVE));
  }

  /** Codecs for the values of a cache with these settings; see {@link #evolve(boolean)}. */
  public final Codecs evolving(Codecs codecs) {
    return codecs.forCache(evolve().orElse(false));
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

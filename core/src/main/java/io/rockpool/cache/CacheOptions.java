package io.rockpool.cache;

import io.rockpool.codec.Codec;
import io.rockpool.store.Durability;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a cache behaves. Immutable: each method returns options that differ in one point, as in
 * {@code CacheOptions.<String,
 * Order>defaults().expiry(CacheExpiry.afterWrite(Duration.ofHours(1))).hotEntries(10_000)}.
 *
 * @param expiry how long entries live
 * @param hotEntries how many entries are kept in memory, whatever their size; 0 where {@code
 *     hotBytes} bounds them
 * @param hotBytes how many bytes of entries, as encoded and with their overhead, are kept in
 *     memory; with both 0, none; {@link #SHARED_HEAP} for a share of the {@link HeapBudget}
 * @param durability what writes survive; null for the store's default
 * @param keyCodec the codec of keys, under which equal keys must give equal bytes; null for the
 *     store's choice
 * @param valueCodec the codec of values; null for the store's choice
 * @param classLoader where classes of keys and values come from; null for the store's
 * @param onConflict what opening does where the name is held by something else
 * @param onUndecodable what a read does with a value that cannot be decoded
 * @param onUnencodable what a write does with a value that cannot be encoded
 * @param sharesValues whether entries in memory are values themselves, given to everyone who asks,
 *     also where they can be changed
 * @param refresh when values are fetched anew before they expire; null for never
 * @param warmRestart whether what is in memory is brought back after a restart
 * @param diskBudgetBytes how much disk the entries may take, see {@link #diskBudgetBytes(long)}; 0
 *     for no bound of its own
 * @param maximumSize how many entries there may be, see {@link #maximumSize(long)}; 0 for any
 *     number
 * @param attributes what a layer above wants kept beside the name; replaced at each opening that
 *     gives any
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public record CacheOptions<K, V>(
    CacheExpiry<? super K, ? super V> expiry,
    long hotEntries,
    long hotBytes,
    @Nullable Durability durability,
    @Nullable Codec<K> keyCodec,
    @Nullable Codec<V> valueCodec,
    @Nullable ClassLoader classLoader,
    OnConflict onConflict,
    OnUndecodable onUndecodable,
    OnUnencodable onUnencodable,
    boolean sharesValues,
    @Nullable CacheRefresh<K, V> refresh,
    boolean warmRestart,
    long diskBudgetBytes,
    long maximumSize,
    Map<String, String> attributes) {
  /** In the place of {@code hotBytes}: a share of the {@link HeapBudget}, by use. */
  public static final long SHARED_HEAP = -1;

  /** What opening does where the name is held by another type, key or value type, or codec. */
  public enum OnConflict {
    /** Fail with a {@link io.rockpool.error.NameConflictException} and change nothing. */
    FAIL,
    /** Remove what is there, count a reset, and start empty. */
    RESET
  }

  /** What a read does with a value that cannot be decoded. */
  public enum OnUndecodable {
    /** Count it, remove it, and answer that there is none. */
    MISS,
    /** Fail with an {@link io.rockpool.error.UndecodableValueException} and leave the entry. */
    FAIL
  }

  /** What a write does with a value that cannot be encoded, such as one that holds a thread. */
  public enum OnUnencodable {
    /**
     * Count it, log it once for each class, and remove the entry of its key, so that nobody is
     * given a value that was to be replaced. Callers that wait for the load of such a value are
     * given the instance that was loaded.
     */
    SKIP,
    /** Fail with an {@link io.rockpool.error.UnencodableValueException} and change nothing. */
    FAIL
  }

  /** Checks the numbers and copies the attributes. */
  public CacheOptions {
    Objects.requireNonNull(expiry, "expiry");
    Objects.requireNonNull(onConflict, "onConflict");
    Objects.requireNonNull(onUndecodable, "onUndecodable");
    Objects.requireNonNull(onUnencodable, "onUnencodable");
    attributes = Map.copyOf(attributes);
    checkNotNegative("hotEntries", hotEntries);
    if (hotBytes != SHARED_HEAP || hotEntries != 0) {
      checkNotNegative("hotBytes", hotBytes);
    }
    checkNotNegative("diskBudgetBytes", diskBudgetBytes);
    checkNotNegative("maximumSize", maximumSize);
  }

  /**
   * No expiry, no refresh, no disk budget and no maximum size, a share of the {@link HeapBudget} in
   * memory, the store's durability and codecs, a conflict fails, an undecodable value is a miss,
   * one that cannot be encoded fails.
   */
  public static <K, V> CacheOptions<K, V> defaults() {
    return new CacheOptions<>(
        CacheExpiry.never(),
        0,
        SHARED_HEAP,
        null,
        null,
        null,
        null,
        OnConflict.FAIL,
        OnUndecodable.MISS,
        OnUnencodable.FAIL,
        false,
        null,
        true,
        0,
        0,
        Map.of());
  }

  /** With this expiry. */
  public CacheOptions<K, V> expiry(CacheExpiry<? super K, ? super V> newExpiry) {
    return with(draft -> draft.expiry = newExpiry);
  }

  /**
   * With up to this many entries in memory, whatever their size; 0 keeps none. They are outside of
   * the {@link HeapBudget}.
   */
  public CacheOptions<K, V> hotEntries(long entries) {
    return with(
        draft -> {
          draft.hotEntries = entries;
          draft.hotBytes = 0;
        });
  }

  /**
   * With entries of up to this many bytes, as encoded and with their overhead, in memory; 0 keeps
   * none. They are outside of the {@link HeapBudget}.
   */
  public CacheOptions<K, V> hotBytes(long bytes) {
    checkNotNegative("hotBytes", bytes);
    return with(
        draft -> {
          draft.hotEntries = 0;
          draft.hotBytes = bytes;
        });
  }

  /**
   * With writes of this durability instead of the store's; single ones may have yet another, see
   * {@link io.rockpool.Rockpool#withDurability}.
   */
  public CacheOptions<K, V> durability(Durability newDurability) {
    return with(draft -> draft.durability = newDurability);
  }

  /** With this codec for keys: equal keys must encode to equal bytes. */
  public CacheOptions<K, V> keyCodec(Codec<K> codec) {
    return with(draft -> draft.keyCodec = codec);
  }

  /** With this codec for values. */
  public CacheOptions<K, V> valueCodec(Codec<V> codec) {
    return with(draft -> draft.valueCodec = codec);
  }

  /** With keys and values whose classes this loader knows. */
  public CacheOptions<K, V> classLoader(ClassLoader loader) {
    return with(draft -> draft.classLoader = loader);
  }

  /** With this answer to a name that is held by something else. */
  public CacheOptions<K, V> onConflict(OnConflict action) {
    return with(draft -> draft.onConflict = action);
  }

  /** With this answer to a value that cannot be decoded. */
  public CacheOptions<K, V> onUndecodable(OnUndecodable action) {
    return with(draft -> draft.onUndecodable = action);
  }

  /** With this answer to a value that cannot be encoded. */
  public CacheOptions<K, V> onUnencodable(OnUnencodable action) {
    return with(draft -> draft.onUnencodable = action);
  }

  /**
   * With values that are shared as long as they are in memory, or not: everyone who asks for an
   * entry of the hot tier is given the instance that was put or first read, whatever its type, and
   * sees what others do to it. The disk has the value as it was when it was put, and so has who
   * asks after it left the hot tier; without a hot tier, nothing is shared. Saves a decoding for
   * each read of a value that is not known to be immutable.
   */
  public CacheOptions<K, V> sharesValues(boolean shared) {
    return with(draft -> draft.sharesValues = shared);
  }

  /** With values that are fetched anew before they expire. */
  public CacheOptions<K, V> refresh(CacheRefresh<K, V> newRefresh) {
    return with(draft -> draft.refresh = Objects.requireNonNull(newRefresh, "newRefresh"));
  }

  /**
   * With what is in memory brought back after a restart, as is the default, or not. Which keys are
   * hot is written to the store every five minutes in which the cache was used, and when it is
   * closed: at most 2 MiB, often less. After it was opened, a thread of the store's reads their
   * entries, as they are then, at half of a processor's speed at most; opening waits for nothing.
   * Without entries in memory this does nothing.
   */
  public CacheOptions<K, V> warmRestart(boolean warm) {
    return with(draft -> draft.warmRestart = warm);
  }

  /**
   * With entries that take about this many bytes of disk at most, as compressed there; 0 for no
   * bound. Where they take more, a thread of the store's evicts, in the background, until a tenth
   * of the budget is free: entries in the order of their keys, from where it stopped the last time,
   * sparing those in memory as long as there are others. Which go is chance, and neither told to
   * anyone nor a removal; {@link CacheStatistics#evictions} counts them. The disk is given back to
   * the file system. What was overwritten or has expired is looked for first and counts no more.
   *
   * <p>The budget is kept by looking once a second, so a fast writer can be past it for a while;
   * and what an open snapshot shows is not evicted twice. It holds while the cache is open; of
   * caches that are open under one name, the smallest does.
   */
  public CacheOptions<K, V> diskBudgetBytes(long bytes) {
    return with(draft -> draft.diskBudgetBytes = bytes);
  }

  /**
   * With so many entries at most, on disk; 0 for any number. Where there are more, a thread of the
   * store's evicts, in the background, until there are no more than that: entries in the order of
   * their keys, from where it stopped the last time, sparing those in memory as long as there are
   * others. Which go is chance, and neither told to anyone nor a removal; {@link
   * CacheStatistics#evictions} counts them. What has expired does not count.
   *
   * <p>A put does not know whether it replaces an entry. So the entries are counted when the cache
   * is opened, and again once it may have too many: after each sixteenth of the maximum that was
   * put, and when no more is. Until then, and for the seconds that it takes, there may be more by a
   * sixteenth and by what is put meanwhile. Counting reads all entries, about a million a second.
   *
   * <p>The bound holds while the cache is open; of caches that are open under one name, the
   * smallest does.
   */
  public CacheOptions<K, V> maximumSize(long entries) {
    return with(draft -> draft.maximumSize = entries);
  }

  /** With these attributes kept beside the name. */
  public CacheOptions<K, V> attributes(Map<String, String> newAttributes) {
    return with(draft -> draft.attributes = newAttributes);
  }

  /**
   * Whether entries in memory have a share of the {@link HeapBudget}, and no bound of their own.
   */
  public boolean sharesHeap() {
    return hotBytes == SHARED_HEAP;
  }

  private CacheOptions<K, V> with(Consumer<Draft<K, V>> change) {
    Draft<K, V> draft = new Draft<>(this);
    change.accept(draft);
    return draft.finish();
  }

  private static void checkNotNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " is " + value + "; give 0 for none, or more.");
    }
  }

  /** The same, while a point of it is changed. */
  private static final class Draft<K, V> {
    CacheExpiry<? super K, ? super V> expiry;
    long hotEntries;
    long hotBytes;
    @Nullable Durability durability;
    @Nullable Codec<K> keyCodec;
    @Nullable Codec<V> valueCodec;
    @Nullable ClassLoader classLoader;
    OnConflict onConflict;
    OnUndecodable onUndecodable;
    OnUnencodable onUnencodable;
    boolean sharesValues;
    @Nullable CacheRefresh<K, V> refresh;
    boolean warmRestart;
    long diskBudgetBytes;
    long maximumSize;
    Map<String, String> attributes;

    Draft(CacheOptions<K, V> from) {
      expiry = from.expiry;
      hotEntries = from.hotEntries;
      hotBytes = from.hotBytes;
      durability = from.durability;
      keyCodec = from.keyCodec;
      valueCodec = from.valueCodec;
      classLoader = from.classLoader;
      onConflict = from.onConflict;
      onUndecodable = from.onUndecodable;
      onUnencodable = from.onUnencodable;
      sharesValues = from.sharesValues;
      refresh = from.refresh;
      warmRestart = from.warmRestart;
      diskBudgetBytes = from.diskBudgetBytes;
      maximumSize = from.maximumSize;
      attributes = from.attributes;
    }

    CacheOptions<K, V> finish() {
      return new CacheOptions<>(
          expiry,
          hotEntries,
          hotBytes,
          durability,
          keyCodec,
          valueCodec,
          classLoader,
          onConflict,
          onUndecodable,
          onUnencodable,
          sharesValues,
          refresh,
          warmRestart,
          diskBudgetBytes,
          maximumSize,
          attributes);
    }
  }
}

package io.rockpool.jcache;

import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codec;
import io.rockpool.store.Durability;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the specification knows nothing of: each point as somebody said it, or null where nobody
 * did.
 *
 * @param hotEntries how many entries are kept in memory; said alone or not at all with {@code
 *     hotBytes}
 * @param hotBytes how many bytes of entries are kept in memory
 * @param durability what writes survive
 * @param onUnencodable what is done with values that cannot be encoded
 * @param keyCodec the codec of keys
 * @param valueCodec the codec of values
 * @param entryTtl how long an entry lives from its writing on
 * @param diskBudgetBytes how much disk the cache may take
 * @param maximumSize how many entries there may be
 * @param freshness how entries age
 */
@SuppressWarnings("serial") // as serializable as the codecs and functions it is given
record CacheTuning<K, V>(
    @Nullable Long hotEntries,
    @Nullable Long hotBytes,
    @Nullable Durability durability,
    @Nullable OnUnencodable onUnencodable,
    @Nullable Codec<K> keyCodec,
    @Nullable Codec<V> valueCodec,
    @Nullable BiFunction<? super K, ? super V, @Nullable Duration> entryTtl,
    @Nullable Long diskBudgetBytes,
    @Nullable Long maximumSize,
    Freshness freshness)
    implements Serializable {
  CacheTuning {
    if (hotEntries != null && hotBytes != null) {
      throw new IllegalArgumentException(
          "Both hotEntries and hotBytes were given; bound the entries in memory by one of them.");
    }
    requireNotNegative("hotEntries", hotEntries);
    requireNotNegative("hotBytes", hotBytes);
    requirePositive("diskBudgetBytes", diskBudgetBytes, "bytes");
    requirePositive("maximumSize", maximumSize, "entries");
  }

  private static void requirePositive(String what, @Nullable Long number, String unit) {
    if (number != null && number <= 0) {
      throw new IllegalArgumentException(
          what + " is " + number + "; give a positive number of " + unit + ".");
    }
  }

  private static void requireNotNegative(String what, @Nullable Long number) {
    if (number != null && number < 0) {
      throw new IllegalArgumentException(
          what + " is " + number + "; give 0 to keep no entries in memory, or more.");
    }
  }

  /** Nothing said. */
  static <K, V> CacheTuning<K, V> none() {
    return new CacheTuning<>(
        null, null, null, null, null, null, null, null, null, Freshness.UNSAID);
  }

  /** This, and what {@code other} says where this says nothing. */
  CacheTuning<K, V> orElse(CacheTuning<K, V> other) {
    boolean saysHot = hotEntries != null || hotBytes != null;
    return new CacheTuning<>(
        saysHot ? hotEntries : other.hotEntries,
        saysHot ? hotBytes : other.hotBytes,
        first(durability, other.durability),
        first(onUnencodable, other.onUnencodable),
        first(keyCodec, other.keyCodec),
        first(valueCodec, other.valueCodec),
        first(entryTtl, other.entryTtl),
        first(diskBudgetBytes, other.diskBudgetBytes),
        first(maximumSize, other.maximumSize),
        freshness.orElse(other.freshness));
  }

  private static <T> @Nullable T first(@Nullable T mine, @Nullable T other) {
    return mine == null ? other : mine;
  }

  /** Whether nothing is kept in memory. */
  boolean isCold() {
    return Objects.equals(hotEntries, 0L) || Objects.equals(hotBytes, 0L);
  }

  /** The options with what is said here. */
  CacheOptions<K, V> applyTo(CacheOptions<K, V> options) {
    CacheOptions<K, V> tuned = options;
    if (hotEntries != null) {
      tuned = tuned.hotEntries(hotEntries);
    }
    if (hotBytes != null) {
      tuned = tuned.hotBytes(hotBytes);
    }
    if (diskBudgetBytes != null) {
      tuned = tuned.diskBudgetBytes(diskBudgetBytes);
    }
    if (maximumSize != null) {
      tuned = tuned.maximumSize(maximumSize);
    }
    if (onUnencodable != null) {
      tuned = tuned.onUnencodable(onUnencodable);
    }
    return durability == null ? tuned : tuned.durability(durability);
  }
}

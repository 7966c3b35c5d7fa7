package io.rockpool.cache;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.engine.Expiry;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.logging.LoggerNames;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts values to records. For values that cannot be encoded, follows the cache's options. Its
 * exceptions name the cache.
 */
final class EntryEncoder<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  /** At most this many classes are logged: generated classes may be unlimited. */
  private static final int MAX_TOLD = 1_000;

  /** A loaded value that cannot be encoded, for the threads that wait for it. */
  private record Unstored(Object value) {}

  private final CacheEntryFormat<K, V> format;
  private final CacheCounters counters;
  private final String cache;
  private final boolean skips;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  EntryEncoder(
      CacheEntryFormat<K, V> format,
      CacheCounters counters,
      String cache,
      CacheOptions<K, V> options) {
    this.format = format;
    this.counters = counters;
    this.cache = cache;
    this.skips =
        options.onUnencodable().orElse(OnUnencodable.FAIL) == OnUnencodable.SKIP
            && options.writing() == null; // what is skipped would not be written
  }

  /**
   * A value to write; null if it cannot be encoded and is skipped, which is counted. Then no entry
   * of its key may stay.
   *
   * @throws UnencodableValueException if it cannot be encoded and the cache does not skip it
   */
  @Nullable EncodedEntry write(
      EntryKey key, V value, long plannedMillis, @Nullable EntryTags tags) {
    try {
      return format.write(key, value, plannedMillis, tags);
    } catch (UnencodableValueException e) {
      skip(value, e);
      return null;
    }
  }

  /**
   * Counts and logs a value that cannot be encoded.
   *
   * @throws UnencodableValueException if the cache does not skip it
   */
  void skip(V value, UnencodableValueException e) {
    counters.unencodable.increment();
    String message = "Cache \"" + cache + "\" cannot keep a value. " + e.getMessage();
    if (!skips) {
      throw new UnencodableValueException(message, cache, value.getClass().getName(), e);
    }
    String type = value.getClass().getName();
    if (told.size() < MAX_TOLD && told.add(type)) {
      LOG.warn(
          "{} It is returned to its caller and not cached. Other values of {} that cannot be encoded"
              + " are not cached either, and not logged.",
          message,
          type);
    }
  }

  /** Whether a value can be written. A refresh runs as a load, and removes an entry that cannot. */
  boolean takes(EntryKey key, V value) {
    return !skips || write(key, value, Expiry.NEVER, null) != null;
  }

  /** A loaded value, with its tags, for the threads that wait for it; null for none. */
  @Nullable HotEntry result(EntryKey key, @Nullable V value, @Nullable EntryTags tags) {
    if (value == null) {
      return null;
    }
    if (!skips) {
      return format.write(key, value, Expiry.NEVER, tags).entry();
    }
    try {
      return format.write(key, value, Expiry.NEVER, tags).entry();
    } catch (UnencodableValueException e) { // already logged when it was to be stored
      return HotEntry.lasting(new Unstored(value));
    }
  }

  /** The value in a {@link #result}. */
  @SuppressWarnings("unchecked") // made above
  V value(HotEntry result) {
    return result.payload() instanceof Unstored unstored
        ? (V) unstored.value
        : format.value(result);
  }
}

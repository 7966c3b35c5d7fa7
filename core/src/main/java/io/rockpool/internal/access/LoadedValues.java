package io.rockpool.internal.access;

import java.time.Duration;
import java.util.Collection;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a layer above a cache says of the values it loads, beside what the cache's options say. Both
 * functions are called on the thread that stores a value.
 *
 * @param tags returns tags of a value, beside those that the cache gives it; null for none
 * @param ttl returns how long a new entry lives, null for what the cache's policy says; null for
 *     that of all
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public record LoadedValues<K, V>(
    @Nullable BiFunction<? super K, ? super V, ? extends Collection<String>> tags,
    @Nullable BiFunction<? super K, ? super V, @Nullable Duration> ttl) {
  private static final LoadedValues<Object, Object> PLAIN = new LoadedValues<>(null, null);

  /** Values with the tags and the time to live that the cache's options give them. */
  @SuppressWarnings("unchecked") // it uses no value of these types
  public static <K, V> LoadedValues<K, V> plain() {
    return (LoadedValues<K, V>) PLAIN;
  }
}

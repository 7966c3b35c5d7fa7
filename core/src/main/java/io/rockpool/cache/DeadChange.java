package io.rockpool.cache;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change that was given up; see {@link WriteBehindOptions#maximumAttempts(int)}.
 *
 * @param key the key
 * @param value the value that was put; null for a removal
 * @param attempts how often the writer has failed with this change alone
 * @param cause the text of the last exception
 * @param time when the change was made
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public record DeadChange<K, V>(
    K key, @Nullable V value, int attempts, String cause, Instant time) {}

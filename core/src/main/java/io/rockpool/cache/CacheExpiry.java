package io.rockpool.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long entries live. The three built-in kinds cost nothing beyond a clock reading; a policy of
 * one's own is asked on the caller's thread, with no lock held, and must not be slow.
 *
 * <p>{@link #FOREVER} never expires; a zero or negative duration ends the entry at once, so that it
 * is not stored. An exception from a policy reaches the caller and leaves the entry as it was.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface CacheExpiry<K, V> {
  /** The duration of what never expires. */
  Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** How long an entry lives from its creation on. */
  Duration afterCreation(K key, V value);

  /**
   * How long an entry lives from now on when its value is replaced; null leaves its expiry as it
   * is.
   */
  @Nullable Duration afterUpdate(K key, V value);

  /**
   * How long an entry lives from now on when it is read; null leaves its expiry as it is. What a
   * read adds to an entry's life is kept in memory and written by and by: a process that is killed
   * loses what was added since the store was opened, or since the last write of the entry, and it
   * expires as if it had not been read. What a read takes from an entry's life is written before
   * the read returns. A read never fails because of that: while nothing can be written, as on a
   * full disk, the new expiry holds in this process alone, a longer one as far as the record on
   * disk lasts.
   */
  default @Nullable Duration afterAccess(K key, V value) {
    return null;
  }

  /**
   * Whether {@link #afterUpdate} always answers what {@link #afterCreation} would. A put then needs
   * not know whether the entry is there, and is one write without a read.
   */
  default boolean updatesAsCreation() {
    return false;
  }

  /**
   * Whether {@link #afterAccess} may answer anything but null. Reads then cost a look at the clock
   * and a note in memory.
   */
  default boolean usesAccess() {
    return false;
  }

  /**
   * How long an entry lives at most since it was written, however often it is read; null for no
   * such limit. Asked when a value is written, of policies that {@link #usesAccess use accesses}. A
   * duration of an entry's own that is longer, as of {@link PersistentCache#put(Object, Object,
   * Duration)}, stands. Who wants to be told of expired entries is not told of those that end by
   * this.
   */
  default @Nullable Duration limit(V value) {
    return null;
  }

  /**
   * This policy with jitter: each duration that it gives at creation or update is shortened by a
   * random part of it, up to {@code fraction}, so that entries that were written together do not
   * expire together. None lives longer than this policy says, and what never expires still does
   * not. Durations after a read are left alone: these spread by themselves. So are those of {@link
   * PersistentCache#put(Object, Object, Duration)} and {@link PersistentCache#expireAfter}, which
   * ask no policy.
   *
   * @param fraction from 0, which changes nothing, to below 1; 0.1 is usual
   * @throws IllegalArgumentException if it is not
   */
  default CacheExpiry<K, V> withJitter(double fraction) {
    return new JitteredExpiry<>(this, fraction);
  }

  /** Entries never expire. */
  static <K, V> CacheExpiry<K, V> never() {
    return new FixedExpiry<>(FOREVER, FOREVER, null, null);
  }

  /** An entry expires {@code ttl} after it was last written. */
  static <K, V> CacheExpiry<K, V> afterWrite(Duration ttl) {
    return new FixedExpiry<>(ttl, ttl, null, null);
  }

  /**
   * An entry expires {@code ttl} after it was created, however often it is replaced; a put costs a
   * read.
   */
  static <K, V> CacheExpiry<K, V> afterCreation(Duration ttl) {
    return new FixedExpiry<>(ttl, null, null, null);
  }

  /** An entry expires when it was neither written nor read for {@code idle}. */
  static <K, V> CacheExpiry<K, V> afterAccess(Duration idle) {
    return new FixedExpiry<>(idle, idle, idle, null);
  }

  /**
   * An entry expires {@code ttl} after it was last written, or before that, when it was neither
   * written nor read for {@code idle}.
   */
  static <K, V> CacheExpiry<K, V> afterWriteOrAccess(Duration ttl, Duration idle) {
    Objects.requireNonNull(ttl, "ttl");
    Duration first = idle.compareTo(ttl) < 0 ? idle : ttl;
    return new FixedExpiry<>(first, first, idle, ttl);
  }

  /** An entry expires after a time that its key and value decide when it is written. */
  static <K, V> CacheExpiry<K, V> afterWrite(BiFunction<? super K, ? super V, Duration> ttl) {
    Objects.requireNonNull(ttl, "ttl");
    return new CacheExpiry<>() {
      @Override
      public Duration afterCreation(K key, V value) {
        return ttl.apply(key, value);
      }

      @Override
      public Duration afterUpdate(K key, V value) {
        return ttl.apply(key, value);
      }

      @Override
      public boolean updatesAsCreation() {
        return true;
      }
    };
  }
}

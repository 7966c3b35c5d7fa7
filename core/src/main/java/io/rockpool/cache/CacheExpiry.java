package io.rockpool.cache;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long entries live. The built-in policies of fixed durations cost nothing beyond a clock
 * reading. A policy with code of its own runs on the caller's thread, with no lock held, and must
 * not be slow.
 *
 * <pre>{@code
 * CacheExpiry<Object, Object> session = CacheExpiry.afterWriteOrAccess(ofHours(8), ofMinutes(30));
 * CacheExpiry<String, Order> order =
 *     CacheExpiry.writing((id, it) -> it.isDraft() ? ofMinutes(5) : CacheExpiry.FOREVER);
 * }</pre>
 *
 * <p>{@link #FOREVER} never expires; a zero or negative duration ends the entry at once, so that it
 * is not stored. An exception from a policy reaches the caller and leaves the entry as it was.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface CacheExpiry<K, V> {
  /**
   * The duration of what never expires: {@link Long#MAX_VALUE} milliseconds, so that {@link
   * Duration#toMillis} does not overflow.
   */
  Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

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
   * Whether {@link #afterAccess} may return anything but null. Reads then cost a look at the clock
   * and a note in memory. By default, whether the policy's class overrides {@code afterAccess}; a
   * policy that delegates to others may know better.
   */
  default boolean usesAccess() {
    try {
      Method method = getClass().getMethod("afterAccess", Object.class, Object.class);
      return method.getDeclaringClass() != CacheExpiry.class;
    } catch (NoSuchMethodException e) {
      return true; // a native image without reflection on the class
    }
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

  /**
   * An entry expires after a time that {@code ttl} returns for its key and value when it is
   * created. Replacing and reading it do not change that; a put costs a read.
   */
  static <K, V> CacheExpiry<K, V> creating(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, false, false);
  }

  /**
   * An entry expires after a time that {@code ttl} returns for its key and value when it is created
   * or replaced.
   */
  static <K, V> CacheExpiry<K, V> writing(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, true, false);
  }

  /**
   * An entry expires after a time that {@code ttl} returns for its key and value when it is
   * created, replaced or read; see {@link #afterAccess(Object, Object)}.
   */
  static <K, V> CacheExpiry<K, V> accessing(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, true, true);
  }
}

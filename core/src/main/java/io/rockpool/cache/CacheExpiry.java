package io.rockpool.cache;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long entries live. A built-in policy of fixed durations costs one clock reading at
 * most. A policy with its own code runs on the caller's thread, without a lock, and should be fast.
 *
 * <pre>{@code
 * CacheExpiry<Object, Object> session = CacheExpiry.afterWriteOrAccess(ofHours(8), ofMinutes(30));
 * CacheExpiry<String, Order> order =
 *     CacheExpiry.writing((id, it) -> it.isDraft() ? ofMinutes(5) : CacheExpiry.FOREVER);
 * }</pre>
 *
 * <p>{@link #FOREVER} never expires. A zero or negative duration expires the entry immediately, so
 * it is not stored. An exception from a policy reaches the caller and leaves the entry unchanged.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface CacheExpiry<K, V> {
  /**
   * The duration of an entry that never expires: {@link Long#MAX_VALUE} milliseconds, so that
   * {@link Duration#toMillis} does not overflow.
   */
  Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  /** How long a new entry lives. */
  Duration afterCreation(K key, V value);

  /** How long an entry lives from now on when its value is replaced; null keeps its expiry. */
  @Nullable Duration afterUpdate(K key, V value);

  /**
   * How long an entry lives from now on when it is read; null keeps its expiry.
   *
   * <p>A longer life is kept in memory and written later. A killed process loses what reads added
   * since the store was opened or the entry was last written, and the entry expires as if it had
   * not been read. A shorter life is written before the read returns. A failed write never fails a
   * read: while nothing can be written, as on a full disk, the new expiry applies in this process
   * only, and a longer one only until the record on disk expires.
   */
  default @Nullable Duration afterAccess(K key, V value) {
    return null;
  }

  /**
   * Whether {@link #afterUpdate} always returns what {@link #afterCreation} would. Then a put is
   * one write without a read, because it need not know whether the entry exists.
   */
  default boolean updatesAsCreation() {
    return false;
  }

  /**
   * Whether {@link #afterAccess} may return anything but null. Then a read costs a clock reading
   * and a note in memory. By default, this is whether the policy's class overrides {@code
   * afterAccess}; a policy that delegates to another one should override this, too.
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
   * The maximum life of an entry since it was last written, however often it is read; null for no
   * maximum. It is asked when a value is written, if the policy {@linkplain #usesAccess uses
   * accesses}. It does not shorten an entry's own longer duration, such as that of {@link
   * PersistentCache#put(Object, Object, Duration)}. Listeners of expired entries are not notified
   * of entries that end by this maximum.
   */
  default @Nullable Duration limit(V value) {
    return null;
  }

  /**
   * This policy with jitter. Each duration at a creation or update is shortened by a random part of
   * it, up to {@code fraction}. So entries that were written together do not expire together. No
   * entry lives longer than under this policy, and entries that never expire still do not.
   * Durations after reads are not changed, because reads spread them already. Nor are those of
   * {@link PersistentCache#put(Object, Object, Duration)} and {@link PersistentCache#expireAfter},
   * which do not ask the policy.
   *
   * @param fraction from 0, which changes nothing, to below 1; 0.1 is usual
   * @throws IllegalArgumentException if it is out of range
   */
  default CacheExpiry<K, V> withJitter(double fraction) {
    return new JitteredExpiry<>(this, fraction);
  }

  /** Entries never expire. */
  static <K, V> CacheExpiry<K, V> never() {
    return new FixedExpiry<>(FOREVER, FOREVER, null, null);
  }

  /** An entry expires {@code ttl} after its last write. */
  static <K, V> CacheExpiry<K, V> afterWrite(Duration ttl) {
    return new FixedExpiry<>(ttl, ttl, null, null);
  }

  /**
   * An entry expires {@code ttl} after its creation, however often it is replaced. A put costs a
   * read.
   */
  static <K, V> CacheExpiry<K, V> afterCreation(Duration ttl) {
    return new FixedExpiry<>(ttl, null, null, null);
  }

  /** An entry expires {@code idle} after its last write or read. */
  static <K, V> CacheExpiry<K, V> afterAccess(Duration idle) {
    return new FixedExpiry<>(idle, idle, idle, null);
  }

  /**
   * An entry expires {@code ttl} after its last write, or earlier, {@code idle} after its last
   * write or read.
   */
  static <K, V> CacheExpiry<K, V> afterWriteOrAccess(Duration ttl, Duration idle) {
    Objects.requireNonNull(ttl, "ttl");
    Duration first = idle.compareTo(ttl) < 0 ? idle : ttl;
    return new FixedExpiry<>(first, first, idle, ttl);
  }

  /**
   * An entry expires after the time that {@code ttl} returns for its key and value at its creation.
   * Replacing or reading it does not change that. A put costs a read.
   */
  static <K, V> CacheExpiry<K, V> creating(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, false, false);
  }

  /**
   * An entry expires after the time that {@code ttl} returns for its key and value when it is
   * created or replaced.
   */
  static <K, V> CacheExpiry<K, V> writing(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, true, false);
  }

  /**
   * An entry expires after the time that {@code ttl} returns for its key and value when it is
   * created, replaced or read; see {@link #afterAccess(Object, Object)}.
   */
  static <K, V> CacheExpiry<K, V> accessing(
      BiFunction<? super K, ? super V, ? extends Duration> ttl) {
    return new FunctionExpiry<>(ttl, true, true);
  }
}

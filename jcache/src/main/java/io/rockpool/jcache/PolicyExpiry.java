package io.rockpool.jcache;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.jcache.internal.config.FixedExpiryPolicy;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A JSR-107 expiry policy as the kernel sees it, with a function of entries before it if there is
 * one. A policy that throws, or has no answer at creation, is taken not to expire entries, as the
 * specification leaves to the provider and the reference implementation does.
 *
 * @param policy what is asked; two of these are equal if their policies and functions are
 * @param entryTtl what is asked before that when an entry is written
 * @param updatesAsCreation whether a put needs not know whether the entry is there
 * @param usesAccess whether a read may move an expiry
 */
record PolicyExpiry(
    ExpiryPolicy policy,
    @Nullable BiFunction<Object, Object, @Nullable Duration> entryTtl,
    boolean updatesAsCreation,
    boolean usesAccess)
    implements CacheExpiry<Object, Object> {
  static PolicyExpiry of(ExpiryPolicy policy) {
    return of(policy, null);
  }

  /** A policy after a function, which is given keys and values of its types alone. */
  @SuppressWarnings("unchecked") // the cache checks the types of what comes in
  static PolicyExpiry of(
      ExpiryPolicy policy, @Nullable BiFunction<?, ?, @Nullable Duration> entryTtl) {
    return new PolicyExpiry(
        policy,
        (BiFunction<Object, Object, @Nullable Duration>) entryTtl,
        updatesAsCreation(policy),
        usesAccess(policy));
  }

  private static boolean updatesAsCreation(ExpiryPolicy policy) {
    if (policy instanceof FixedExpiryPolicy fixed) {
      return fixed.updatesAsCreation();
    }
    Class<?> kind = policy.getClass();
    boolean same = kind == ModifiedExpiryPolicy.class || kind == TouchedExpiryPolicy.class;
    // An entry that expires at once counts as put only if there was one, so that is looked up.
    return kind == EternalExpiryPolicy.class || (same && !policy.getExpiryForCreation().isZero());
  }

  private static boolean usesAccess(ExpiryPolicy policy) {
    if (policy instanceof FixedExpiryPolicy fixed) {
      return fixed.access() != null;
    }
    Class<?> kind = policy.getClass();
    return kind != EternalExpiryPolicy.class
        && kind != CreatedExpiryPolicy.class
        && kind != ModifiedExpiryPolicy.class;
  }

  @Override
  public Duration afterCreation(Object key, Object value) {
    Duration own = own(key, value);
    Duration duration = own == null ? ask(policy::getExpiryForCreation) : own;
    return duration == null ? FOREVER : duration;
  }

  @Override
  public @Nullable Duration afterUpdate(Object key, Object value) {
    Duration own = own(key, value);
    return own == null ? ask(policy::getExpiryForUpdate) : own;
  }

  @Override
  public @Nullable Duration afterAccess(Object key, Object value) {
    return usesAccess ? ask(policy::getExpiryForAccess) : null;
  }

  private @Nullable Duration own(Object key, Object value) {
    if (entryTtl == null) {
      return null;
    }
    try {
      return entryTtl.apply(key, value);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static @Nullable Duration ask(Supplier<javax.cache.expiry.@Nullable Duration> question) {
    javax.cache.expiry.Duration answer;
    try {
      answer = question.get();
    } catch (RuntimeException e) {
      return null;
    }
    return answer == null ? null : duration(answer);
  }

  private static Duration duration(javax.cache.expiry.Duration duration) {
    if (duration.isEternal()) {
      return FOREVER;
    }
    try {
      return Duration.of(duration.getDurationAmount(), duration.getTimeUnit().toChronoUnit());
    } catch (ArithmeticException e) {
      return FOREVER;
    }
  }
}

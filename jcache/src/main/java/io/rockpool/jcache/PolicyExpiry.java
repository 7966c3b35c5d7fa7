package io.rockpool.jcache;

import io.rockpool.cache.CacheExpiry;
import java.time.Duration;
import java.util.function.Supplier;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A JSR-107 expiry policy as the kernel sees it. A policy that throws, or has no answer at
 * creation, is taken not to expire entries, as the specification leaves to the provider and the
 * reference implementation does.
 *
 * @param policy what is asked; two of these are equal if their policies are
 * @param updatesAsCreation whether a put needs not know whether the entry is there
 * @param usesAccess whether a read may move an expiry
 */
record PolicyExpiry(ExpiryPolicy policy, boolean updatesAsCreation, boolean usesAccess)
    implements CacheExpiry<Object, Object> {
  static PolicyExpiry of(ExpiryPolicy policy) {
    Class<?> kind = policy.getClass();
    boolean fixed = kind == ModifiedExpiryPolicy.class || kind == TouchedExpiryPolicy.class;
    // An entry that expires at once counts as put only if there was one, so that is looked up.
    boolean blind =
        kind == EternalExpiryPolicy.class || (fixed && !policy.getExpiryForCreation().isZero());
    boolean ignoresAccess =
        kind == EternalExpiryPolicy.class
            || kind == CreatedExpiryPolicy.class
            || kind == ModifiedExpiryPolicy.class;
    return new PolicyExpiry(policy, blind, !ignoresAccess);
  }

  @Override
  public Duration afterCreation(Object key, Object value) {
    Duration duration = ask(policy::getExpiryForCreation);
    return duration == null ? FOREVER : duration;
  }

  @Override
  public @Nullable Duration afterUpdate(Object key, Object value) {
    return ask(policy::getExpiryForUpdate);
  }

  @Override
  public @Nullable Duration afterAccess(Object key, Object value) {
    return usesAccess ? ask(policy::getExpiryForAccess) : null;
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

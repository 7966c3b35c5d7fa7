package io.rockpool.jcache.internal.config;

import java.io.Serializable;
import javax.cache.configuration.Factory;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The expiry that a configuration file can express: the same for every entry, one duration for each
 * occasion. Null leaves an entry's expiry as it is.
 */
public record FixedExpiryPolicy(
    Duration creation, @Nullable Duration update, @Nullable Duration access)
    implements ExpiryPolicy, Serializable {
  @Override
  public Duration getExpiryForCreation() {
    return creation;
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null for "as it is"
  public Duration getExpiryForAccess() {
    return access;
  }

  @Override
  @SuppressWarnings("NullAway") // the specification wants null for "as it is"
  public Duration getExpiryForUpdate() {
    return update;
  }

  /** Whether a put needs not know if the entry is there. */
  public boolean updatesAsCreation() {
    return creation.equals(update) && !creation.isZero();
  }

  /** What makes this policy; two factories of equal policies are equal. */
  public Factory<ExpiryPolicy> factory() {
    return new Maker(this);
  }

  private record Maker(FixedExpiryPolicy policy) implements Factory<ExpiryPolicy> {
    @Override
    public ExpiryPolicy create() {
      return policy;
    }
  }
}

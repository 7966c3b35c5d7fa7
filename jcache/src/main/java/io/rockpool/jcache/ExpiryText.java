package io.rockpool.jcache;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.cache.configuration.Factory;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Expiry policies as text beside a cache: the five of the specification, as in {@code eternal},
 * {@code created 30 SECONDS} or {@code touched ETERNAL}. A policy of another class is code, which
 * cannot be kept.
 */
final class ExpiryText {
  private static final String ETERNAL_POLICY = "eternal";
  private static final String ETERNAL_DURATION = "ETERNAL";

  private static final Map<String, Function<Duration, Factory<ExpiryPolicy>>> FACTORIES =
      Map.of(
          "created", CreatedExpiryPolicy::factoryOf,
          "modified", ModifiedExpiryPolicy::factoryOf,
          "accessed", AccessedExpiryPolicy::factoryOf,
          "touched", TouchedExpiryPolicy::factoryOf);

  private static final Map<Class<?>, String> NAMES =
      Map.of(
          CreatedExpiryPolicy.class, "created",
          ModifiedExpiryPolicy.class, "modified",
          AccessedExpiryPolicy.class, "accessed",
          TouchedExpiryPolicy.class, "touched");

  private ExpiryText() {}

  /** The policy as text, or null if it is none of the five. */
  static @Nullable String of(ExpiryPolicy policy) {
    if (policy.getClass() == EternalExpiryPolicy.class) {
      return ETERNAL_POLICY;
    }
    String name = NAMES.get(policy.getClass());
    return name == null ? null : name + ' ' + text(policy.getExpiryForCreation());
  }

  private static String text(Duration duration) {
    return duration.isEternal()
        ? ETERNAL_DURATION
        : duration.getDurationAmount() + " " + duration.getTimeUnit();
  }

  /**
   * What makes the policy of a text.
   *
   * @throws IllegalArgumentException if no policy has this text
   */
  static Factory<ExpiryPolicy> factory(String text) {
    if (text.equals(ETERNAL_POLICY)) {
      return EternalExpiryPolicy.factoryOf();
    }
    String[] words = text.split(" ", -1);
    Function<Duration, Factory<ExpiryPolicy>> factory = FACTORIES.get(words[0]);
    if (factory == null || words.length < 2) {
      throw new IllegalArgumentException("There is no expiry policy \"" + text + "\".");
    }
    return factory.apply(
        words[1].equals(ETERNAL_DURATION)
            ? Duration.ETERNAL
            : new Duration(TimeUnit.valueOf(words[2]), Long.parseLong(words[1])));
  }
}

package io.rockpool.jcache.internal.config;

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
 * {@code created 30 SECONDS} or {@code touched ETERNAL}, and that of a configuration file, as in
 * {@code fixed 30 SECONDS, UNCHANGED, 5 MINUTES}. A policy of another class is code, which cannot
 * be kept.
 */
public final class ExpiryText {
  private static final String ETERNAL_POLICY = "eternal";
  private static final String FIXED_POLICY = "fixed ";
  private static final String BETWEEN = ", ";
  private static final String ETERNAL_DURATION = "ETERNAL";
  private static final String NO_DURATION = "UNCHANGED";

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

  /** The policy as text, or null if it is code. */
  public static @Nullable String of(ExpiryPolicy policy) {
    if (policy.getClass() == EternalExpiryPolicy.class) {
      return ETERNAL_POLICY;
    }
    if (policy instanceof FixedExpiryPolicy fixed) {
      return FIXED_POLICY
          + String.join(
              BETWEEN, text(fixed.creation()), text(fixed.update()), text(fixed.access()));
    }
    String name = NAMES.get(policy.getClass());
    return name == null ? null : name + ' ' + text(policy.getExpiryForCreation());
  }

  private static String text(@Nullable Duration duration) {
    if (duration == null) {
      return NO_DURATION;
    }
    return duration.isEternal()
        ? ETERNAL_DURATION
        : duration.getDurationAmount() + " " + duration.getTimeUnit();
  }

  /**
   * What makes the policy of a text.
   *
   * @throws IllegalArgumentException if no policy has this text
   */
  public static Factory<ExpiryPolicy> factory(String text) {
    if (text.equals(ETERNAL_POLICY)) {
      return EternalExpiryPolicy.factoryOf();
    }
    try {
      if (text.startsWith(FIXED_POLICY)) {
        String[] durations = text.substring(FIXED_POLICY.length()).split(BETWEEN, -1);
        Duration creation = duration(durations[0]);
        if (creation != null) {
          return new FixedExpiryPolicy(creation, duration(durations[1]), duration(durations[2]))
              .factory();
        }
      }
      int space = text.indexOf(' ');
      Function<Duration, Factory<ExpiryPolicy>> factory =
          FACTORIES.get(text.substring(0, Math.max(space, 0)));
      Duration duration = duration(text.substring(space + 1));
      if (factory != null && duration != null) {
        return factory.apply(duration);
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IllegalArgumentException("There is no expiry policy \"" + text + "\".", e);
    }
    throw new IllegalArgumentException("There is no expiry policy \"" + text + "\".");
  }

  private static @Nullable Duration duration(String text) {
    if (text.equals(NO_DURATION)) {
      return null;
    }
    if (text.equals(ETERNAL_DURATION)) {
      return Duration.ETERNAL;
    }
    String[] words = text.split(" ", -1);
    return new Duration(TimeUnit.valueOf(words[1]), Long.parseLong(words[0]));
  }
}

package io.rockpool.spring.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Which requests an {@link IdempotencyFilter} handles once, and how long it keeps their responses.
 * Immutable: each {@code with} method returns a copy.
 */
public final class IdempotencyRules {
  private static final int DEFAULT_MAX_BODY_BYTES = 1 << 20;
  private static final Duration DEFAULT_TTL = Duration.ofHours(24);

  private final List<PathPattern> paths;
  private final Set<String> methods;
  private final Duration ttl;
  private final boolean required;
  private final int maxBodyBytes;

  private IdempotencyRules(
      List<PathPattern> paths,
      Set<String> methods,
      Duration ttl,
      boolean required,
      int maxBodyBytes) {
    this.paths = paths;
    this.methods = methods;
    this.ttl = ttl;
    this.required = required;
    this.maxBodyBytes = maxBodyBytes;
  }

  /**
   * Rules for {@code POST} and {@code PATCH} requests: 24 hours, the key is optional, bodies have
   * at most 1 MiB.
   *
   * @param paths patterns as in Spring's controllers, such as {@code "/payments/**"}, within the
   *     application
   */
  public static IdempotencyRules forPaths(List<String> paths) {
    return new IdempotencyRules(
        paths.stream().map(PathPatternParser.defaultInstance::parse).toList(),
        Set.of("POST", "PATCH"),
        DEFAULT_TTL,
        false,
        DEFAULT_MAX_BODY_BYTES);
  }

  /** The same rules for other methods. */
  public IdempotencyRules withMethods(Set<String> others) {
    Set<String> upper =
        others.stream().map(m -> m.toUpperCase(Locale.ROOT)).collect(Collectors.toSet());
    return new IdempotencyRules(paths, upper, ttl, required, maxBodyBytes);
  }

  /**
   * The same rules, with another time to live of responses.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public IdempotencyRules withTtl(Duration other) {
    if (other.isNegative() || other.isZero()) {
      throw new IllegalArgumentException("The ttl is " + other + "; give a positive duration.");
    }
    return new IdempotencyRules(paths, methods, other, required, maxBodyBytes);
  }

  /** The same rules; if {@code other}, a request without a key is refused with 400. */
  public IdempotencyRules withRequired(boolean other) {
    return new IdempotencyRules(paths, methods, ttl, other, maxBodyBytes);
  }

  /**
   * The same rules, with another maximum size of request bodies.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public IdempotencyRules withMaxBodyBytes(int other) {
    if (other < 0 || other == Integer.MAX_VALUE) {
      throw new IllegalArgumentException("maxBodyBytes is " + other + "; give 0 or more.");
    }
    return new IdempotencyRules(paths, methods, ttl, required, other);
  }

  Duration ttl() {
    return ttl;
  }

  boolean isRequired() {
    return required;
  }

  int maxBodyBytes() {
    return maxBodyBytes;
  }

  boolean applyTo(String method, PathContainer path) {
    return methods.contains(method) && paths.stream().anyMatch(pattern -> pattern.matches(path));
  }
}

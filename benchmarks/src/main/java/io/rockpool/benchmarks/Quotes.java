package io.rockpool.benchmarks;

import java.io.Serializable;
import java.util.Objects;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;

/** What {@link SpringHot} calls through Spring's proxy. */
public class Quotes {
  static final String CACHE = "quotes";

  /** Spring makes the proxy. */
  public Quotes() {}

  /** A value as applications cache them; serializable, as Spring Data Redis wants it. */
  public record Quote(String id, String text, long cents) implements Serializable {}

  /** Answered by the cache alone: everything is in it. */
  @Cacheable(CACHE)
  public Quote quote(String id) {
    throw new IllegalStateException("Quote " + id + " is not in the cache.");
  }

  /** Puts a quote in the place of what is there. */
  @CachePut(cacheNames = CACHE, key = "#a0")
  public Quote save(String id, Quote quote) {
    return Objects.requireNonNull(quote, "quote");
  }
}

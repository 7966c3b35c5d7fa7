package io.rockpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Removes all entries with one of these tags from caches, after the method has returned; each cache
 * in O(1). If the method returns a {@code CompletableFuture}, or a publisher such as {@code Mono}
 * or {@code Flux}, entries are removed when the work is done, before its caller or subscriber sees
 * that. Nothing is removed if the work fails or is canceled. See {@link CacheTags}; needs a {@link
 * CacheTagsAdvisor}, which Spring Boot has.
 *
 * <pre>{@code
 * @CacheEvictTags(cacheNames = "books", value = "author:#{#author}")
 * void rename(String author, String name) { ... }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CacheEvictTags {
  /**
   * The tags, as those of {@link CacheTags#value}. With a method that returns several results there
   * is no {@code #result}.
   */
  String[] value();

  /** The names of the caches. */
  String[] cacheNames();
}

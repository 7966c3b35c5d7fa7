package io.rockpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Removes all entries with one of these tags from caches, after the method has returned, and the
 * future that it returns has completed. Each cache in O(1). Methods that return publishers are
 * refused. If the method throws, nothing is removed. See {@link CacheTags}; needs a {@link
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
  /** The tags, as those of {@link CacheTags#value}. */
  String[] value();

  /** The names of the caches. */
  String[] cacheNames();
}

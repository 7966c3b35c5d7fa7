package io.rockpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tags of what {@code @Cacheable} and {@code @CachePut} of the same method put into a {@link
 * RockpoolCache}. {@link CacheEvictTags} and {@link RockpoolCache#invalidateTags} remove all
 * entries with a tag.
 *
 * <pre>{@code
 * @Cacheable("books")
 * @CacheTags({"books", "author:#{#result.author}"})
 * Book find(String isbn) { ... }
 * }</pre>
 *
 * <p>If a tag is invalidated while the method runs, the value is returned and not kept. Needs a
 * {@link CacheableRefresher}, which Spring Boot has. Not for methods that return futures or
 * publishers: their caches get tags by {@link RockpoolCacheConfiguration#tags}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CacheTags {
  /**
   * The tags: texts, in which <code>#{...}</code> is an expression as in Spring's cache
   * annotations, with {@code #result} and the arguments by name. A text that is one expression may
   * return a collection or an array of tags. An expression without {@code #result} is evaluated
   * before the method runs, so that an error prevents it, and again after it.
   */
  String[] value();
}

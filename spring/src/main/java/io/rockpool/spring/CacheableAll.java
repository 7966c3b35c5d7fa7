package io.rockpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Caches what a method returns for each element of a collection, as {@code @Cacheable} does for a
 * single argument. The cache is read once, the method is called once, with the elements that are
 * not there, and not at all if there are none. What it returns is stored at once.
 *
 * <pre>{@code
 * @CacheableAll("books")
 * Map<String, Book> find(Collection<String> isbns) { ... }
 *
 * @Cacheable("books") // the same entries
 * Book find(String isbn) { ... }
 * }</pre>
 *
 * <p>The method has one parameter that is a {@code Collection}, {@code List}, {@code Set} or {@code
 * Iterable}, and may have others. It returns
 *
 * <ul>
 *   <li>a {@code Map} of elements to values; an element that is not in it has none,
 *   <li>or a {@code List} or {@code Collection} with a value, or null, for each element it got, in
 *       the same order; with {@link #resultKey}, of values in any order, as repositories do,
 *   <li>or a {@code CompletableFuture} or {@code Mono} of one of these, or a {@code Flux} of
 *       values.
 * </ul>
 *
 * The caller gets the same type, in the order of its elements. An element without a value is stored
 * as null, for {@code null-ttl}, and is not in a map.
 *
 * <p>Calls at the same time load each key once: a call waits for keys that another one loads, after
 * it has loaded its own. A key that is put or evicted meanwhile is not stored. If the method
 * throws, its caller and those who wait for its keys get the exception, and nothing is stored. Each
 * key is atomic, not all together. Inside a Spring transaction, a transaction-aware cache stores
 * after the commit, and each call loads for itself. Asynchronous methods are called on the
 * manager's executor, and no thread waits for them.
 *
 * <p>{@link CacheTags} give each value its tags. Expressions know the arguments by name, {@code
 * #element} and, where there is one, {@code #result}. Needs a {@link RockpoolCacheManager} and a
 * {@link CacheableAllAdvisor}, which Spring Boot has.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CacheableAll {
  /** The name of the cache. */
  @AliasFor("cacheNames")
  String[] value() default {};

  /** The name of the cache: one. */
  @AliasFor("value")
  String[] cacheNames() default {};

  /**
   * An expression for the key of {@code #element}. Without it, the key is that of
   * {@code @Cacheable} on a method with the element in place of the collection: the element, or a
   * {@code SimpleKey} of it and the other arguments.
   */
  String key() default "";

  /**
   * An expression for the key of {@code #result}, a value that a list or {@code Flux} holds in any
   * order: {@code "#result.isbn"}. Elements without a value then leave no gap.
   */
  String resultKey() default "";

  /** An expression; if it is false, the method is called without the cache. */
  String condition() default "";

  /** An expression about one value; if it is true, the value is returned and not stored. */
  String unless() default "";

  /**
   * How long values live that this method has loaded: {@code "10m"}, {@code "PT10M"} or a
   * placeholder; otherwise as the cache says.
   */
  String ttl() default "";

  /** How long elements without a value are stored, as {@link #ttl}; zero does not store them. */
  String nullTtl() default "";
}

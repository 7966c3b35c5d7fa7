package io.rockpool.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.interceptor.SimpleKeyGenerator;
import org.springframework.cache.support.NullValue;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;

/**
 * A method with {@link CacheableAll}, read once.
 *
 * @param method the method
 * @param cacheName the name of its cache
 * @param position of the parameter with the elements
 * @param completion when its values are there
 * @param isMap whether it returns a map, and not a list
 * @param valueType the class of its values
 * @param tags the texts of their tags
 */
record BulkMethod(
    Method method,
    String cacheName,
    int position,
    Completion completion,
    boolean isMap,
    Class<?> valueType,
    @Nullable Expression key,
    @Nullable Expression resultKey,
    @Nullable Expression condition,
    @Nullable Expression unless,
    @Nullable Duration ttl,
    @Nullable Duration nullTtl,
    List<String> tags) {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /** When the values of a call are there: when it returns, or later. */
  enum Completion {
    NOW,
    FUTURE,
    MONO,
    FLUX
  }

  /**
   * Reads a method.
   *
   * @param resolver replaces placeholders
   * @throws IllegalStateException if it cannot be what the annotation says
   */
  static BulkMethod of(Method method, Class<?> type, UnaryOperator<String> resolver) {
    CacheableAll annotation =
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method, CacheableAll.class));
    if (annotation.cacheNames().length != 1) {
      throw refused(method, "and does not name one cache. Name one.");
    }
    if (AnnotatedElementUtils.hasAnnotation(method, Cacheable.class)
        || AnnotatedElementUtils.hasAnnotation(method, CachePut.class)) {
      throw refused(method, "and @Cacheable or @CachePut as well. Leave one.");
    }
    Completion completion = completion(method.getReturnType());
    ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
    ResolvableType content = completion == Completion.NOW ? returned : returned.getGeneric(0);
    boolean isMap = completion != Completion.FLUX && isMap(content.resolve(Object.class));
    if (completion != Completion.FLUX && !isMap && !isList(content.resolve(Object.class))) {
      throw refused(
          method,
          "and returns neither a Map nor a List, nor a CompletableFuture or Mono of one, nor a"
              + " Flux. Return one of these.");
    }
    ResolvableType value =
        completion == Completion.FLUX ? content : content.getGeneric(isMap ? 1 : 0);
    if (isMap && !annotation.resultKey().isEmpty()) {
      throw refused(method, "with a resultKey and returns a Map, which has keys. Leave one.");
    }
    CacheTags tags = AnnotatedElementUtils.findMergedAnnotation(method, CacheTags.class);
    return new BulkMethod(
        method,
        annotation.cacheNames()[0],
        position(method),
        completion,
        isMap,
        value.resolve(Object.class),
        expression(method, annotation.key()),
        expression(method, annotation.resultKey()),
        expression(method, annotation.condition()),
        expression(method, annotation.unless()),
        duration(method, resolver.apply(annotation.ttl())),
        duration(method, resolver.apply(annotation.nullTtl())),
        tags == null ? List.of() : List.of(tags.value()));
  }

  private static IllegalStateException refused(Method method, String why) {
    return new IllegalStateException(method + " has @CacheableAll " + why);
  }

  private static Completion completion(Class<?> returned) {
    return switch (returned.getName()) {
      case "reactor.core.publisher.Mono" -> Completion.MONO;
      case "reactor.core.publisher.Flux" -> Completion.FLUX;
      default ->
          CompletionStage.class.isAssignableFrom(returned)
                  && returned.isAssignableFrom(CompletableFuture.class)
              ? Completion.FUTURE
              : Completion.NOW;
    };
  }

  private static boolean isMap(Class<?> type) {
    return Map.class.isAssignableFrom(type) && type.isAssignableFrom(LinkedHashMap.class);
  }

  private static boolean isList(Class<?> type) {
    return Iterable.class.isAssignableFrom(type) && type.isAssignableFrom(ArrayList.class);
  }

  /** The position of the one parameter that can take a new collection of elements. */
  private static int position(Method method) {
    int found = -1;
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (!Iterable.class.isAssignableFrom(types[i])) {
        continue;
      }
      if (found >= 0
          || !(types[i].isAssignableFrom(ArrayList.class)
              || types[i].isAssignableFrom(LinkedHashSet.class))) {
        found = -1;
        break;
      }
      found = i;
    }
    if (found < 0) {
      throw refused(
          method, "and not one parameter that is a Collection, List, Set or Iterable. Have one.");
    }
    return found;
  }

  private static @Nullable Expression expression(Method method, String text) {
    try {
      return text.isEmpty() ? null : new SpelExpressionParser().parseExpression(text);
    } catch (ParseException e) {
      throw new IllegalStateException(
          method + " has @CacheableAll with \"" + text + "\", no expression: " + e.getMessage(), e);
    }
  }

  private static @Nullable Duration duration(Method method, String text) {
    try {
      return text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          method
              + " has @CacheableAll with \""
              + text
              + "\", no duration. Write for example 10m or PT10M.",
          e);
    }
  }

  /** The elements of a call; null if it has none to cache. */
  @Nullable List<Object> elements(@Nullable Object[] arguments) {
    if (!(arguments[position] instanceof Iterable<?> all)) {
      return null;
    }
    List<Object> elements = new ArrayList<>();
    for (Object element : all) {
      elements.add(
          Objects.requireNonNull(
              element, () -> "An element is null, in a call of " + method + "; leave it out."));
    }
    return elements;
  }

  /** The arguments of a call with other elements. */
  @Nullable Object[] with(@Nullable Object[] arguments, Collection<Object> elements) {
    @Nullable Object[] others = arguments.clone();
    others[position] =
        method.getParameterTypes()[position].isAssignableFrom(ArrayList.class)
            ? new ArrayList<>(elements)
            : new LinkedHashSet<>(elements);
    return others;
  }

  /** What expressions of a call know; of one thread. */
  MethodBasedEvaluationContext context(@Nullable Object target, @Nullable Object[] arguments) {
    return new MethodBasedEvaluationContext(
        target == null ? method : target, method, arguments, NAMES);
  }

  /** The key of an element. */
  Object key(MethodBasedEvaluationContext context, @Nullable Object[] arguments, Object element) {
    if (key != null) {
      context.setVariable("element", element);
      return found(key.getValue(context), key);
    }
    @Nullable Object[] single = arguments.clone();
    single[position] = element;
    return SimpleKeyGenerator.generateKey(single);
  }

  private Object found(@Nullable Object value, Expression expression) {
    if (value == null) {
      throw new IllegalArgumentException(
          "The key \"" + expression.getExpressionString() + "\" is null, in a call of " + method);
    }
    return value;
  }

  /** Whether a stored value can be one of this method. */
  boolean accepts(Object stored) {
    return stored instanceof NullValue
        || ClassUtils.resolvePrimitiveIfNecessary(valueType).isInstance(stored);
  }

  /** How long a value that was loaded lives; null for as long as the cache says. */
  @Nullable Duration ttlOf(Object stored) {
    return stored instanceof NullValue && nullTtl != null ? nullTtl : ttl;
  }

  /**
   * The values of elements, by their keys.
   *
   * @param elements by their keys, as the method got them
   * @param returned what the method has returned, once it is there
   * @throws IllegalStateException if these do not belong together
   */
  Map<Object, Object> values(
      MethodBasedEvaluationContext context,
      Map<Object, Object> elements,
      @Nullable Object returned) {
    Map<Object, Object> values = new LinkedHashMap<>();
    if (returned == null) {
      return values;
    }
    if (returned instanceof Map<?, ?> map) {
      elements.forEach((key, element) -> put(values, key, map.get(element)));
    } else if (resultKey != null) {
      for (Object value : (Iterable<?>) returned) {
        if (value != null) {
          context.setVariable("result", value);
          Object key = found(resultKey.getValue(context), resultKey);
          if (elements.containsKey(key)) {
            put(values, key, value);
          }
        }
      }
    } else {
      List<@Nullable Object> list = new ArrayList<>();
      ((Iterable<?>) returned).forEach(list::add);
      if (list.size() != elements.size()) {
        throw new IllegalStateException(
            method
                + " returned "
                + list.size()
                + " values for "
                + elements.size()
                + " elements. Return one, or null, for each, in the same order, or give a"
                + " resultKey.");
      }
      int i = 0;
      for (Object key : elements.keySet()) {
        put(values, key, list.get(i++));
      }
    }
    return values;
  }

  private static void put(Map<Object, Object> values, Object key, @Nullable Object value) {
    if (value != null) {
      values.put(key, value);
    }
  }

  /**
   * What the caller gets.
   *
   * @param elements those of the call, and {@code keys} theirs
   * @param stored the values of the keys; nulls as they are stored
   */
  Object result(List<Object> elements, List<Object> keys, Map<Object, Object> stored) {
    Map<Object, Object> map = new LinkedHashMap<>();
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Object there = stored.get(keys.get(i));
      Object value = there instanceof NullValue ? null : there;
      if (value != null) {
        map.put(elements.get(i), value);
      }
      if (value != null || (resultKey == null && completion != Completion.FLUX)) {
        list.add(value);
      }
    }
    return isMap ? map : list;
  }
}

package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.CallArguments;
import io.rockpool.testing.OneMoment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While an operation puts a value with a tag, the tag is invalidated, and then another value is put
 * with it: afterwards one of the two is there. By reflection, so that a new operation is in it.
 */
@Timeout(120)
class TagOverlapTest extends OnEverySetup {
  private static final String MINE = "mine";
  private static final String OTHER = "other";
  private static final String OLD = "old";

  private PersistentCache<String, String> cache;
  private boolean armed;

  /** The key whose value was met. */
  private @Nullable String met;

  /** Every value has the tag; the first of the operation's is met by an invalidation. */
  private Set<String> tags(String key, String value) {
    if (armed && value.equals(MINE)) {
      armed = false;
      CompletableFuture.runAsync(
              () -> {
                cache.invalidateTag("tag");
                cache.put(key, OTHER);
              })
          .join();
      met = key;
    }
    return Set.of("tag");
  }

  private static CallArguments arguments() {
    BiFunction<Object, Object, Object> both = (a, b) -> MINE;
    Function<Object, Object> one = a -> MINE;
    UnaryOperator<Object> same = a -> MINE;
    ValueLoader<Object, Object> loader = TagOverlapTest::load;
    return new CallArguments()
        .ofMaps()
        .put("K", "k", "l")
        .put("V", MINE, OLD)
        .put("Object", "k", OLD)
        .put("Map", Map.of("k", MINE, "l", MINE))
        .put("Collection<K>", List.of("k", "l"))
        .put("Collection", List.of("k", "l"))
        .put("BiFunction", both)
        .put("Function", one)
        .put(
            "Function<CompletionStage>",
            (Function<Object, CompletableFuture<Object>>) a -> future())
        .put("UnaryOperator", same)
        .put("ValueLoader", loader);
  }

  private static CompletableFuture<Object> future() {
    return CompletableFuture.completedFuture(MINE);
  }

  /** Loads one value, or several. */
  private static Object load(Object key) {
    if (!(key instanceof Set<?> keys)) {
      return MINE;
    }
    Map<Object, Object> all = new HashMap<>();
    keys.forEach(each -> all.put(each, MINE));
    return all;
  }

  @Test
  void oneOfTheValuesIsThere() throws Exception {
    cache =
        pool.cache(
            "tagged",
            String.class,
            String.class,
            o -> setup.<String, String>options().tags(this::tags));
    List<String> tried = new ArrayList<>();
    for (Method method : operations(PersistentCache.class)) {
      tryAll(method, () -> cache, tried);
    }
    for (Method method : operations(ConcurrentMap.class)) {
      tryAll(method, cache::asMap, tried);
    }
    assertThat(tried)
        .contains(
            "put", "putAll", "putIfAbsent", "getAndPut", "replace", "compute", "merge", "get");
  }

  private static List<Method> operations(Class<?> type) {
    return OneMoment.operationsOf(type).stream()
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.getName().equals("close"))
        .toList();
  }

  /** Where an operation is called. */
  private interface Target {
    Object get();
  }

  private void tryAll(Method method, Target target, List<String> tried) throws Exception {
    CallArguments arguments = arguments();
    for (int choice = 0; choice < arguments.choices(method); choice++) {
      cache.clear();
      cache.put("k", OLD);
      met = null;
      armed = true;
      List<Object> given = arguments.of(method, choice, clock.millis());
      method.setAccessible(true); // the cache inherits it from a type that is not public
      try {
        Object unused = method.invoke(target.get(), given.toArray());
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).isInstanceOf(RuntimeException.class);
      }
      armed = false;
      if (met != null) {
        tried.add(method.getName());
        assertThat(cache.get(met)).as("%s of %s", method, given).isIn(MINE, OTHER);
      }
    }
  }
}

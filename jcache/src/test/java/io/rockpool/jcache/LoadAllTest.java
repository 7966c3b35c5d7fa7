package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.StoreClosedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code loadAll} with loaders, caches and listeners that do what they should not. */
@Timeout(30)
@SuppressWarnings("NullAway") // loaders return nulls
class LoadAllTest extends JCacheTest {
  /** A completion listener whose end a test can wait for. */
  private static final class Ending implements CompletionListener {
    final CompletableFuture<Integer> end = new CompletableFuture<>();

    @Override
    public void onCompletion() {
      assertThat(end.complete(0)).isTrue();
    }

    @Override
    public void onException(Exception e) {
      assertThat(end.completeExceptionally(e)).isTrue();
    }

    void await() throws Exception {
      assertThat(end.get(20, TimeUnit.SECONDS)).isZero();
    }

    Throwable failure() {
      try {
        end.get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        return e.getCause();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      throw new AssertionError("It did not fail.");
    }
  }

  private record Loader(Function<Iterable<? extends String>, @Nullable Map<String, Integer>> all)
      implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      return all.apply(List.of(key)).get(key);
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      return all.apply(keys);
    }
  }

  private Cache<String, Integer> cache(
      Function<Iterable<? extends String>, @Nullable Map<String, Integer>> all) {
    Cache<String, Integer> cache =
        manager()
            .createCache(
                "c",
                RockpoolConfiguration.of(String.class, Integer.class)
                    .loader(() -> new Loader(all)));
    cache.put("a", 1);
    return cache;
  }

  private static Map<String, Integer> entries(Cache<String, Integer> cache) {
    Map<String, Integer> entries = new HashMap<>();
    cache.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  private static Map<String, Integer> withNulls() {
    Map<String, Integer> map = new HashMap<>();
    map.put("a", null);
    map.put("b", null);
    map.put("c", 30);
    map.put("unasked", 40);
    return map;
  }

  /** A value that the loader does not have is no value, and leaves the entry. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void storesWhatWasAskedForAndLoaded(boolean replace) throws Exception {
    Cache<String, Integer> cache = cache(keys -> withNulls());
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b", "c", "d"), replace, ending);
    ending.await();
    assertThat(entries(cache)).isEqualTo(Map.of("a", 1, "c", 30));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void asksOnlyForWhatIsToBeLoaded(boolean replace) throws Exception {
    List<String> asked = new ArrayList<>();
    Cache<String, Integer> cache =
        cache(
            keys -> {
              Map<String, Integer> loaded = new HashMap<>();
              for (String key : keys) {
                asked.add(key);
                loaded.put(key, 5);
              }
              return loaded;
            });
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b"), replace, ending);
    ending.await();
    assertThat(entries(cache)).isEqualTo(Map.of("a", replace ? 5 : 1, "b", 5));
    assertThat(asked).containsExactlyInAnyOrderElementsOf(replace ? Set.of("a", "b") : Set.of("b"));
    Ending nothing = new Ending();
    cache.loadAll(Set.of(), replace, nothing);
    nothing.await();
    assertThat(asked).hasSize(replace ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoaderThatFailsStoresNothing(boolean replace) {
    Cache<String, Integer> cache =
        cache(
            keys -> {
              Map<String, Integer> loaded = new HashMap<>();
              for (String key : keys) {
                if (key.equals("z")) {
                  throw new UnsupportedOperationException("down");
                }
                loaded.put(key, 5);
              }
              return loaded;
            });
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b", "z"), replace, ending);
    assertThat(ending.failure())
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseMessage("down");
    assertThat(entries(cache)).isEqualTo(Map.of("a", 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorOfTheLoaderIsReported(boolean replace) {
    Cache<String, Integer> cache =
        cache(
            keys -> {
              throw new LinkageError("missing");
            });
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b"), replace, ending);
    assertThat(ending.failure())
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseMessage("missing");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoaderThatReturnsNoMapIsNamed(boolean replace) {
    Cache<String, Integer> cache = cache(keys -> null);
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b"), replace, ending);
    assertThat(ending.failure())
        .isInstanceOf(CacheLoaderException.class)
        .hasMessageContaining(Loader.class.getName())
        .hasMessageContaining("returned null");
    assertThat(entries(cache)).isEqualTo(Map.of("a", 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCacheThatIsClosedMeanwhile(boolean replace) throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Cache<String, Integer> cache =
        cache(
            keys -> {
              loading.countDown();
              try {
                assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return Map.of("a", 5, "b", 5);
            });
    Ending ending = new Ending();
    cache.loadAll(Set.of("a", "b"), replace, ending);
    assertThat(loading.await(20, TimeUnit.SECONDS)).isTrue();
    cache.close();
    closed.countDown();
    assertThat(ending.failure()).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> cache.loadAll(Set.of("a"), replace, null))
        .isInstanceOf(IllegalStateException.class);
    Cache<String, Integer> again =
        manager().createCache("c", RockpoolConfiguration.of(String.class, Integer.class));
    assertThat(entries(again)).isEqualTo(Map.of("a", 1));
  }

  @Test
  void aListenerThatThrowsEndsNothing() throws Exception {
    Cache<String, Integer> cache = cache(keys -> Map.of("a", 5, "b", 5));
    CountDownLatch told = new CountDownLatch(1);
    cache.loadAll(
        Set.of("a", "b"),
        true,
        new CompletionListener() {
          @Override
          public void onCompletion() {
            told.countDown();
            throw new IllegalArgumentException("thrown on purpose");
          }

          @Override
          public void onException(Exception e) {
            throw new AssertionError(e);
          }
        });
    assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    Ending ending = new Ending();
    cache.loadAll(Set.of("b"), true, ending);
    ending.await();
    assertThat(entries(cache)).isEqualTo(Map.of("a", 5, "b", 5));
  }

  /** The listener's thread is in no load any more. */
  @Test
  void aListenerMayLoad() throws Exception {
    Cache<String, Integer> cache = cache(keys -> Map.of("a", 5, "b", 6));
    Ending second = new Ending();
    cache.loadAll(
        Set.of("a"),
        true,
        new CompletionListener() {
          @Override
          public void onCompletion() {
            cache.loadAll(Set.of("b"), true, second);
          }

          @Override
          public void onException(Exception e) {
            onCompletion();
          }
        });
    second.await();
    assertThat(entries(cache)).isEqualTo(Map.of("a", 5, "b", 6));
  }
}

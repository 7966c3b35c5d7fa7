package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.engine.Evictor;
import io.rockpool.testing.Proxied;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the caches do under the lock of their names, and what they must not do there. */
final class CatalogLockTest {
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {0, 2};

  @TempDir Path directory;

  private Engine engine;
  private Catalog catalog;
  private Caches caches;
  private @Nullable Evictor evictor;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(directory, RocksDbOptions.defaults());
    Engine watched =
        (Engine)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                Proxied.interfaces(Engine.class),
                (proxy, method, arguments) -> {
                  if (method.getName().equals("evictBy")) {
                    evictor = (Evictor) arguments[0];
                  }
                  try {
                    return method.invoke(engine, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    catalog = new Catalog(watched);
    caches = new Caches(watched, catalog, Codecs.defaults());
  }

  @AfterEach
  void close() {
    caches.close();
    engine.close();
  }

  @Test
  void optionsAreNotKeptWithWhatTookTheName() throws Exception {
    PersistentCache<String, String> cache = caches.open("name", TEXT, TEXT, null);
    Identity map = new Identity("map", "k", "codec", "v", "codec");
    Running<Boolean> keep =
        catalog.locked(
            () -> {
              Running<Boolean> waits =
                  Threads.start(
                      () -> {
                        assertThatThrownBy(
                                () -> caches.keep(cache, it -> Map.of("option", "a cache's")))
                            .isInstanceOf(IllegalStateException.class);
                        return true;
                      });
              waits.awaitWaiting();
              catalog.drop("name");
              catalog.open("name", map, Layout.ROWS, false, kept -> Map.of("buckets", "16"));
              return waits;
            });
    assertThat(keep.result()).isTrue();
    assertThat(Objects.requireNonNull(catalog.find("name")).options())
        .isEqualTo(Map.of("buckets", "16"));
  }

  @Test
  void evictingHoldsUpNobodyWhoHoldsItsRow() throws Exception {
    Space space = engine.create(new SpaceSpec("unopened", Layout.ENTRIES, Map.of()));
    space.put(KEY, Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch evicts = new CountDownLatch(1);
    Running<Boolean> transaction =
        Threads.start(
            () ->
                engine.atomically(
                    () -> {
                      space.put(KEY, Space.NO_SORT_KEY, VALUE, Expiry.NEVER);
                      holds.countDown();
                      await(evicts);
                      assertThatThrownBy(() -> caches.open("another", TEXT, TEXT, null))
                          .isInstanceOf(IllegalStateException.class)
                          .hasMessageContaining("\"another\" is not open");
                      return true;
                    }));
    Threads.await(holds);
    Running<Integer> eviction =
        Threads.start(
            () -> Objects.requireNonNull(evictor).evict(space, List.of(KEY), /* all= */ true));
    eviction.awaitWaiting();
    evicts.countDown();
    assertThat(transaction.result()).isTrue();
    assertThat(eviction.result()).isEqualTo(1);
    assertThat(space.get(KEY, Space.NO_SORT_KEY)).isNull();
  }

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

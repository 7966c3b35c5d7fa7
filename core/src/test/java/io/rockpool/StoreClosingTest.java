package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreFullException;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Proxied;
import io.rockpool.testing.Threads;
import io.rockpool.testing.Threads.Running;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening and closing beside transactions, beside each other, and where a part of it fails. */
final class StoreClosingTest {
  private static final CacheOptions<String, String> IDLE =
      CacheOptions.<String, String>defaults().expiry(CacheExpiry.afterAccess(Duration.ofHours(1)));

  @TempDir Path parent;

  private Rockpool open(String name) {
    return Rockpool.at(parent.resolve(name)).memoryBytes(16L << 20).open();
  }

  /** A cache with a deadline that is in memory alone: closing it writes. */
  private static PersistentCache<String, String> readCache(Rockpool pool, String name) {
    PersistentCache<String, String> cache = pool.cache(name, String.class, String.class, o -> IDLE);
    cache.put("key", "1");
    assertThat(cache.get("key")).isEqualTo("1");
    return cache;
  }

  @Test
  void aTransactionFindsAnOpenCacheWhileItsOwnIsClosed() throws Exception {
    try (Rockpool pool = open("store")) {
      PersistentCache<String, String> closed = readCache(pool, "closed");
      PersistentCache<String, String> open = pool.cache("open", String.class, String.class);
      PersistentMap<String, String> map = pool.map("map", String.class, String.class);
      CountDownLatch holds = new CountDownLatch(1);
      CountDownLatch closes = new CountDownLatch(1);
      Running<Boolean> transaction =
          Threads.start(
              () ->
                  pool.atomically(
                      own -> {
                        closed.put("key", "2");
                        holds.countDown();
                        await(closes);
                        assertThat(pool.cache("open", String.class, String.class)).isSameAs(open);
                        assertThat(pool.map("map", String.class, String.class)).isSameAs(map);
                        return true;
                      }));
      Threads.await(holds);
      Running<Boolean> close =
          Threads.start(
              () -> {
                closed.close();
                return true;
              });
      close.awaitWaiting();
      closes.countDown();
      assertThat(transaction.result()).isTrue();
      assertThat(close.result()).isTrue();
      assertThat(closed.isClosed()).isTrue();
      assertThat(pool.cache("closed", String.class, String.class, o -> IDLE).get("key"))
          .isEqualTo("2");
    }
  }

  @Test
  void aCacheClosedInATransactionWritesBackWhatTheTransactionDoesNotUndo() {
    try (Rockpool pool = open("store")) {
      PersistentCache<String, String> cache = readCache(pool, "cache");
      IllegalStateException undone = new IllegalStateException("undone");
      assertThatThrownBy(
              () ->
                  pool.atomically(
                      own -> {
                        cache.put("key", "2");
                        cache.close();
                        throw undone;
                      }))
          .isSameAs(undone);
      assertThat(cache.isClosed()).isTrue();
      assertThat(pool.cache("cache", String.class, String.class, o -> IDLE).get("key"))
          .isEqualTo("1");
    }
  }

  @Test
  void aSlowCloseHoldsUpNoOtherStore() throws Exception {
    Rockpool slow = open("slow");
    PersistentMap<String, String> map = slow.map("map", String.class, String.class);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    Running<String> transaction =
        Threads.start(
            () ->
                slow.atomically(
                    own -> {
                      map.put("key", "value");
                      inside.countDown();
                      await(closing);
                      assertThatThrownBy(() -> open("slow"))
                          .isInstanceOf(IllegalStateException.class)
                          .hasMessageContaining("is being closed");
                      try (Rockpool other = open("other")) {
                        other.map("map", String.class, String.class).put("key", "other");
                        return "opened";
                      }
                    }));
    Threads.await(inside);
    Running<Boolean> close =
        Threads.start(
            () -> {
              slow.close();
              return true;
            });
    close.awaitWaiting();
    Running<String> again =
        Threads.start(
            () -> {
              try (Rockpool opened = open("slow")) {
                return opened.map("map", String.class, String.class).get("key");
              }
            });
    again.awaitWaiting();
    closing.countDown();
    assertThat(transaction.result()).isEqualTo("opened");
    assertThat(close.result()).isTrue();
    assertThat(again.result()).as("opened once it was closed").isEqualTo("value");
    try (Rockpool other = open("other")) {
      assertThat(other.map("map", String.class, String.class).get("key")).isEqualTo("other");
    }
  }

  @Test
  void closingInATransactionIsRefusedAndChangesNothing() {
    Rockpool pool = open("store");
    PersistentCache<String, String> cache = readCache(pool, "cache");
    assertThatThrownBy(
            () ->
                pool.atomically(
                    own -> {
                      cache.put("key", "2");
                      pool.close();
                      return true;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Closing");
    assertThat(cache.get("key")).isEqualTo("1");
    cache.put("key", "3");
    pool.map("map", String.class, String.class).put("key", "4");
    pool.close();
    assertThatThrownBy(() -> cache.get("key")).isInstanceOf(IllegalStateException.class);
    try (Rockpool again = open("store")) {
      assertThat(again.cache("cache", String.class, String.class, o -> IDLE).get("key"))
          .isEqualTo("3");
      assertThat(again.map("map", String.class, String.class).get("key")).isEqualTo("4");
    }
  }

  @Test
  void aHandleThatIsNotTheLastIsClosedInATransaction() {
    Rockpool pool = open("store");
    Rockpool other = open("store");
    PersistentMap<String, String> map = pool.map("map", String.class, String.class);
    pool.atomically(
        own -> {
          other.close();
          return map.put("key", "value");
        });
    assertThat(map.get("key")).isEqualTo("value");
    assertThatThrownBy(() -> other.map("map", String.class, String.class))
        .isInstanceOf(IllegalStateException.class);
    pool.close();
    assertThatThrownBy(() -> map.get("key")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void everythingIsClosedWhereWritingBackFails() {
    Path directory = parent.resolve("full");
    AtomicBoolean full = new AtomicBoolean();
    Set<Thread> others = threadsOfCaches(Set.of());
    Rockpool pool =
        Rockpool.at(o -> filling(RocksDbEngine.open(directory, RocksDbOptions.defaults()), full))
            .open();
    PersistentCache<String, String> first = readCache(pool, "first");
    PersistentCache<String, String> second = readCache(pool, "second");
    first.onExpired((key, value) -> assertThat(key).isNotNull());
    assertThat(threadsOfCaches(others))
        .extracting(Thread::getName)
        .containsExactlyInAnyOrder("rockpool-warm", "rockpool-expired");
    full.set(true);
    pool.close();
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
    awaitNoThreadsOfCaches(others);
    try (Rockpool again = Rockpool.open(directory)) {
      assertThat(again.cache("second", String.class, String.class, o -> IDLE).get("key"))
          .isEqualTo("1");
    }
  }

  @Test
  void aCacheIsClosedWhereWritingBackFails() {
    Path directory = parent.resolve("full");
    AtomicBoolean full = new AtomicBoolean();
    try (Rockpool pool =
        Rockpool.at(o -> filling(RocksDbEngine.open(directory, RocksDbOptions.defaults()), full))
            .open()) {
      PersistentCache<String, String> cache = readCache(pool, "cache");
      full.set(true);
      cache.close();
      full.set(false);
      assertThat(cache.isClosed()).isTrue();
      assertThat(pool.cache("cache", String.class, String.class, o -> IDLE).get("key"))
          .isEqualTo("1");
    }
  }

  @Test
  void anInterruptedThreadOpensUsesAndClosesAStore() {
    Thread.currentThread().interrupt();
    try {
      try (Rockpool pool = open("store")) {
        pool.map("map", String.class, String.class).put("key", "value");
        pool.cache("cache", String.class, String.class).put("key", "value");
      }
      try (Rockpool pool = open("store")) {
        assertThat(pool.state().recovery().orElseThrow().clean()).isTrue();
        assertThat(pool.map("map", String.class, String.class).get("key")).isEqualTo("value");
      }
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  /** How each kind is opened in a store. */
  enum Opening {
    STRUCTURE(store -> store.structures.deque("new", TypeRef.of(String.class), null)),
    QUEUE(store -> store.queues.open("new", TypeRef.of(String.class), null)),
    CACHE(
        store ->
            store.caches.open(
                "new", TypeRef.of(String.class), TypeRef.of(String.class), IDLE, null)),
    FEED(store -> store.feeds.open("logged", TypeRef.of(String.class), TypeRef.of(String.class)));

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final Consumer<OpenStore> open;

    Opening(Consumer<OpenStore> open) {
      this.open = open;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotOpenWhenAStoreClosesIsRefused(Opening opening) throws Exception {
    CountDownLatch writes = new CountDownLatch(1);
    CountDownLatch opened = new CountDownLatch(1);
    AtomicBoolean closes = new AtomicBoolean();
    Rockpool pool =
        Rockpool.at(
                o ->
                    before(
                        RocksDbEngine.open(parent.resolve("store"), RocksDbOptions.defaults()),
                        () -> {
                          if (closes.get()) {
                            writes.countDown();
                            await(opened);
                          }
                        }))
            .open();
    readCache(pool, "cache");
    pool.map(
        "logged",
        String.class,
        String.class,
        o -> o.changes(ChangeOptions.keep(Duration.ofDays(1))));
    OpenStore store = pool.store(); // as a call has it that began before
    closes.set(true);
    Running<Boolean> close =
        Threads.start(
            () -> {
              pool.close();
              return true;
            });
    Threads.await(writes);
    try {
      // Nothing would wake what waits for an element, and nothing would end its threads.
      assertThatThrownBy(() -> opening.open.accept(store)).isInstanceOf(StoreClosedException.class);
    } finally {
      opened.countDown();
      assertThat(close.result()).isTrue();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Threads.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The threads of caches; not those of {@code others}, which other test classes leave. */
  private static Set<Thread> threadsOfCaches(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().matches("rockpool-(warm|expired)") && !others.contains(it))
        .collect(Collectors.toSet());
  }

  private static void awaitNoThreadsOfCaches(Set<Thread> others) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!threadsOfCaches(others).isEmpty()) {
      assertThat(System.nanoTime() - end).as("alive: %s", threadsOfCaches(others)).isNegative();
      Thread.onSpinWait();
    }
  }

  /** An engine whose rows cannot be changed while its disk is said to be full. */
  private static Engine filling(Engine engine, AtomicBoolean full) {
    return before(
        engine,
        () -> {
          if (full.get()) {
            throw new StoreFullException("The disk is full.", null);
          }
        });
  }

  /** An engine that runs something before each change of a row. */
  private static Engine before(Engine engine, Runnable change) {
    return proxy(Engine.class, engine, change);
  }

  private static <T> T proxy(Class<T> type, T target, Runnable change) {
    return type.cast(
        Proxy.newProxyInstance(
            StoreClosingTest.class.getClassLoader(),
            Proxied.interfaces(type),
            (proxy, method, arguments) -> {
              if (method.getName().equals("transact")) {
                change.run();
              }
              Object result = call(target, method, arguments);
              return result instanceof Space space ? proxy(Space.class, space, change) : result;
            }));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}

package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners that nobody waits for. */
class AsyncListenersTest extends JCacheTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 200;

  private final CacheManager manager = managerOver(MemoryEngine.builder().build());
  private final Cache<String, Integer> cache =
      manager.createCache(
          "c",
          new MutableConfiguration<String, Integer>()
              .setTypes(String.class, Integer.class)
              .setStatisticsEnabled(true));

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private static CacheEntryListenerConfiguration<String, Integer> asynchronous(
      CacheEntryListener<String, Integer> listener) {
    return new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, false);
  }

  /** Takes events of both kinds, one after the other. */
  private interface Taker
      extends CacheEntryCreatedListener<String, Integer>,
          CacheEntryUpdatedListener<String, Integer> {
    void take(CacheEntryEvent<? extends String, ? extends Integer> event);

    @Override
    default void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(this::take);
    }

    @Override
    default void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(this::take);
    }
  }

  @Test
  void eventsOfOneKeyComeInTheirOrder() throws Exception {
    Map<String, List<Integer>> told = new HashMap<>();
    CountDownLatch all = new CountDownLatch(THREADS * ROUNDS);
    Taker taker =
        event -> {
          told.computeIfAbsent(event.getKey(), key -> new ArrayList<>()).add(event.getValue());
          all.countDown();
        };
    cache.registerCacheEntryListener(asynchronous(taker));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Void> work =
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              cache.invoke(
                  "k" + i % 2,
                  (entry, arguments) -> {
                    entry.setValue(entry.exists() ? entry.getValue() + 1 : 0);
                    return null;
                  });
            }
            return null;
          };
      for (var done : threads.invokeAll(Collections.nCopies(THREADS, work))) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    all.await();
    List<Integer> inOrder = IntStream.range(0, THREADS * ROUNDS / 2).boxed().toList();
    assertThat(told).isEqualTo(Map.of("k0", inOrder, "k1", inOrder));
  }

  @Test
  void oneThatThrowsKeepsNobodyFromHearing() throws Exception {
    CountDownLatch heard = new CountDownLatch(2);
    Taker failing =
        event -> {
          throw new IllegalStateException("as told");
        };
    Taker hearing = event -> heard.countDown();
    cache.registerCacheEntryListener(asynchronous(failing));
    cache.registerCacheEntryListener(asynchronous(hearing));
    cache.put("k", 1);
    cache.put("k", 2);
    heard.await();
    assertThat(cache.get("k")).isEqualTo(2);
  }

  @Test
  void whatIsPastTheBoundIsDroppedAndCounted() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Taker blocking =
        event -> {
          called.countDown();
          awaitUninterrupted(released);
        };
    cache.registerCacheEntryListener(asynchronous(blocking));
    cache.put("k", 0);
    called.await();
    for (int i = 0; i < EntryListeners.MAX_WAITING + 7; i++) {
      cache.put("k", i);
    }
    assertThat(cache.get("k")).isEqualTo(EntryListeners.MAX_WAITING + 6);
    assertThat(statistics(cache).orElseThrow().getDroppedEvents()).isEqualTo(7);
    released.countDown();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whoHasLeftIsToldNoMore() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch last = new CountDownLatch(3);
    List<Integer> told = Collections.synchronizedList(new ArrayList<>());
    Taker leaving =
        event -> {
          told.add(event.getValue());
          called.countDown();
          awaitUninterrupted(released);
        };
    Taker staying = event -> last.countDown();
    CacheEntryListenerConfiguration<String, Integer> leaver = asynchronous(leaving);
    cache.registerCacheEntryListener(leaver);
    cache.registerCacheEntryListener(asynchronous(staying));
    cache.put("k", 1);
    called.await();
    cache.put("k", 2);
    cache.deregisterCacheEntryListener(leaver);
    cache.put("k", 3);
    released.countDown();
    last.await();
    assertThat(told).containsExactly(1);
  }

  @Test
  void closingTellsWhatIsStillToTell() {
    List<Integer> told = Collections.synchronizedList(new ArrayList<>());
    Taker taker = event -> told.add(event.getValue());
    cache.registerCacheEntryListener(asynchronous(taker));
    for (int i = 0; i < ROUNDS; i++) {
      cache.put("k", i);
    }
    cache.close();
    assertThat(told).isEqualTo(IntStream.range(0, ROUNDS).boxed().toList());
  }

  @Test
  void whatClosingLeavesUntoldIsCounted() throws Exception {
    AtomicInteger dropped = new AtomicInteger();
    CountDownLatch called = new CountDownLatch(1);
    Taker blocking =
        event -> {
          called.countDown();
          awaitUninterrupted(new CountDownLatch(1));
        };
    Codecs codecs = Codecs.builder().build();
    EntryListeners<String, Integer> listeners =
        new EntryListeners<>(
            cache,
            new Copies<>(
                codecs.keyCodec(TypeRef.of(String.class)),
                codecs.valueCodec(TypeRef.of(Integer.class)),
                false),
            new OwnedResources(),
            dropped::incrementAndGet);
    listeners.register(asynchronous(blocking));
    listeners.message(EventType.CREATED, "k", 0, null).run();
    called.await();
    for (int i = 1; i <= 5; i++) {
      listeners.message(EventType.CREATED, "k", i, null).run();
    }
    listeners.close();
    assertThat(dropped).as("thrown away").hasValue(5);
    listeners.message(EventType.CREATED, "k", 6, null).run();
    assertThat(dropped).as("came too late").hasValue(6);
  }

  @Test
  void aConfigurationThatChangesAfterwardsChangesNothing() {
    List<Integer> told = new ArrayList<>();
    Taker taker = event -> told.add(event.getOldValue());
    MutableCacheEntryListenerConfiguration<String, Integer> configuration =
        new MutableCacheEntryListenerConfiguration<>(() -> taker, null, true, true);
    cache.registerCacheEntryListener(configuration);
    configuration.setSynchronous(false).setOldValueRequired(false);
    cache.put("k", 1);
    cache.put("k", 2);
    assertThat(told).containsExactly(null, 1);
  }

  @Test
  void aFilterDecidesWhatIsHeard() throws Exception {
    List<Integer> told = Collections.synchronizedList(new ArrayList<>());
    Taker taker = event -> told.add(event.getValue());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            () -> taker, () -> event -> event.getValue() % 2 == 0, false, false));
    for (int i = 0; i < 6; i++) {
      cache.put("k", i);
    }
    cache.close();
    assertThat(told).containsExactly(0, 2, 4);
  }
}

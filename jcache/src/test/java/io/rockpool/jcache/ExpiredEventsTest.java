package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that have expired are told of when something meets them, each once. */
class ExpiredEventsTest extends JCacheTest {
  private static final long TTL_MILLIS = 10_000;
  private static final Duration TTL = new Duration(TimeUnit.MILLISECONDS, TTL_MILLIS);
  private static final String EXPIRED = "EXPIRED k old->old";

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final FakeClock clock = new FakeClock();
  private final CacheManager manager = managerOver(MemoryEngine.builder().clock(clock).build());

  @AfterEach
  void closeManager() {
    manager.close();
  }

  /** Notes every event. */
  private final class Notes
      implements CacheEntryCreatedListener<String, String>,
          CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String>,
          CacheEntryExpiredListener<String, String> {
    private void note(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      for (CacheEntryEvent<? extends String, ? extends String> event : events) {
        log.add(
            "%s %s %s->%s"
                .formatted(
                    event.getEventType(), event.getKey(), event.getOldValue(), event.getValue()));
      }
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      note(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      note(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      note(events);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      note(events);
    }
  }

  private CacheEntryListenerConfiguration<String, String> notes(boolean oldValues) {
    return new MutableCacheEntryListenerConfiguration<>(Notes::new, null, oldValues, true);
  }

  private static MutableConfiguration<String, String> configuration(
      Factory<? extends ExpiryPolicy> policy) {
    return new MutableConfiguration<String, String>()
        .setTypes(String.class, String.class)
        .setExpiryPolicyFactory(policy);
  }

  /** A cache with an entry that has just ended. */
  private Cache<String, String> withExpired(Factory<? extends ExpiryPolicy> policy) {
    Cache<String, String> cache =
        manager.createCache(
            "c", configuration(policy).addCacheEntryListenerConfiguration(notes(true)));
    cache.put(Operations.KEY, Operations.OLD);
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.containsKey(Operations.KEY)).isTrue();
    clock.advanceMillis(1);
    log.clear();
    return cache;
  }

  @Test
  void whoComesAsAnotherLeavesIsTold() throws Exception {
    Cache<String, String> cache =
        manager.createCache("c", configuration(ModifiedExpiryPolicy.factoryOf(TTL)));
    CacheEntryListenerConfiguration<String, String> staying = notes(true);
    for (int round = 0; round < 300; round++) {
      CacheEntryListenerConfiguration<String, String> leaving = staying;
      CacheEntryListenerConfiguration<String, String> coming = notes(true);
      if (round > 0) {
        CompletableFuture<Void> leaves =
            CompletableFuture.runAsync(() -> cache.deregisterCacheEntryListener(leaving));
        cache.registerCacheEntryListener(coming);
        leaves.get(20, TimeUnit.SECONDS);
      } else {
        cache.registerCacheEntryListener(coming);
      }
      staying = coming;
      cache.put(Operations.KEY, Operations.OLD);
      clock.advanceMillis(TTL_MILLIS);
      log.clear();
      cache.get(Operations.KEY);
      assertThat(log).as("round %s", round).containsExactly(EXPIRED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "getAll",
        "containsKey",
        "remove",
        "remove equal",
        "getAndRemove",
        "replace",
        "replace equal",
        "removeAll of keys",
        "iterate",
        "invoke",
        "invoke get",
        "invoke exists",
        "invokeAll get"
      })
  void whatMeetsAnEndedEntryTellsOfIt(String operation) {
    Cache<String, String> cache = withExpired(ModifiedExpiryPolicy.factoryOf(TTL));
    Operations.named(operation).accept(cache);
    assertThat(log).containsExactly(EXPIRED);
    Operations.named(operation).accept(cache);
    assertThat(log).as("once").containsExactly(EXPIRED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"put", "putAll", "getAndPut", "putIfAbsent", "invoke set", "invokeAll set"})
  void whatReplacesAnEndedEntryTellsOfItFirst(String operation) {
    Cache<String, String> cache = withExpired(ModifiedExpiryPolicy.factoryOf(TTL));
    Operations.named(operation).accept(cache);
    assertThat(log).containsExactly(EXPIRED, "CREATED k null->new");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"put", "putAll", "getAndPut", "replace", "replace equal", "invoke set", "remove"})
  void whatReplacesAnEntryThatReadsKeepAliveTellsOfNoEnd(String operation) {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            configuration(TouchedExpiryPolicy.factoryOf(TTL))
                .addCacheEntryListenerConfiguration(notes(true)));
    cache.put(Operations.KEY, Operations.OLD);
    clock.advanceMillis(TTL_MILLIS - 1);
    assertThat(cache.get(Operations.KEY)).isEqualTo(Operations.OLD);
    clock.advanceMillis(TTL_MILLIS - 1);
    log.clear();
    Operations.named(operation).accept(cache);
    assertThat(log).hasSize(1).doesNotContain(EXPIRED);
  }

  /** The processor runs again, on nothing: the entry had ended for what it does. */
  @Test
  void anEntryThatEndsWhileItsProcessorRunsIsToldOfAsExpired() {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            configuration(ModifiedExpiryPolicy.factoryOf(TTL))
                .addCacheEntryListenerConfiguration(notes(true)));
    for (boolean removes : new boolean[] {false, true}) {
      cache.put(Operations.KEY, Operations.OLD);
      log.clear();
      cache.invoke(
          Operations.KEY,
          (entry, arguments) -> {
            if (!entry.exists()) {
              entry.setValue("new");
              return null;
            }
            clock.advanceMillis(TTL_MILLIS);
            if (removes) {
              entry.remove();
            } else {
              entry.setValue("late");
            }
            return null;
          });
      assertThat(cache.get(Operations.KEY)).isEqualTo("new");
      assertThat(log).containsExactly(EXPIRED, "CREATED k null->new");
    }
  }

  static Stream<Factory<? extends ExpiryPolicy>> policies() {
    return Stream.of(
        CreatedExpiryPolicy.factoryOf(TTL),
        ModifiedExpiryPolicy.factoryOf(TTL),
        AccessedExpiryPolicy.factoryOf(TTL),
        TouchedExpiryPolicy.factoryOf(TTL));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whateverEndedIt(Factory<? extends ExpiryPolicy> policy) {
    Cache<String, String> cache = withExpired(policy);
    assertThat(cache.get(Operations.KEY)).isNull();
    assertThat(log).containsExactly(EXPIRED);
  }

  @Test
  void anUpdateOrAccessThatEndsAnEntry() {
    Observer observer = new Observer();
    Cache<String, String> cache =
        manager.createCache(
            "c",
            configuration(() -> observer.policy).addCacheEntryListenerConfiguration(notes(true)));
    cache.put(Operations.KEY, "a");
    observer.policy.update(Duration.ZERO);
    cache.put(Operations.KEY, Operations.OLD);
    assertThat(cache).isEmpty();
    assertThat(log).containsExactly("CREATED k null->a", "UPDATED k a->old", EXPIRED);
    log.clear();
    cache.put(Operations.KEY, Operations.OLD);
    observer.policy.access(Duration.ZERO);
    assertThat(cache.get(Operations.KEY)).isEqualTo(Operations.OLD);
    assertThat(cache.get(Operations.KEY)).isNull();
    assertThat(log).containsExactly("CREATED k null->old", EXPIRED);
  }

  @Test
  void listenersThatComeLateHearOfWhatIsWrittenThen() {
    Cache<String, String> cache =
        manager.createCache("c", configuration(ModifiedExpiryPolicy.factoryOf(TTL)));
    cache.put("untold", Operations.OLD);
    CacheEntryListenerConfiguration<String, String> notes = notes(false);
    cache.registerCacheEntryListener(notes);
    cache.put(Operations.KEY, Operations.OLD);
    clock.advanceMillis(TTL_MILLIS);
    assertThat(cache).isEmpty();
    assertThat(log).containsExactly("CREATED k null->old", "EXPIRED k null->null");
    cache.put("untold", Operations.OLD);
    cache.deregisterCacheEntryListener(notes);
    log.clear();
    clock.advanceMillis(TTL_MILLIS);
    assertThat(cache).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void whatNobodyMeetsInTimeGoesUntold() {
    Cache<String, String> cache = withExpired(ModifiedExpiryPolicy.factoryOf(TTL));
    clock.advanceMillis(TimeUnit.MINUTES.toMillis(5));
    assertThat(cache.get(Operations.KEY)).isNull();
    assertThat(log).isEmpty();
  }

  @Test
  void whatNobodyMeetsIsMetByAScan() {
    Cache<String, String> cache = withExpired(ModifiedExpiryPolicy.factoryOf(TTL));
    clock.advanceMillis(TimeUnit.MINUTES.toMillis(5) - 1);
    manager.unwrap(Rockpool.class).reclaim();
    assertThat(log).containsExactly(EXPIRED);
    assertThat(cache.get(Operations.KEY)).isNull();
    assertThat(log).containsExactly(EXPIRED);
  }

  @Test
  void manyWhoMeetItTellOnce() throws Exception {
    Cache<String, String> cache = withExpired(ModifiedExpiryPolicy.factoryOf(TTL));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<String> get = () -> cache.get(Operations.KEY);
      for (var done : threads.invokeAll(Collections.nCopies(64, get))) {
        assertThat(done.get()).isNull();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(log).containsExactly(EXPIRED);
  }

  @Test
  void aListenerThatFailsDoesNotFailTheRead() {
    Cache<String, String> cache =
        manager.createCache("c", configuration(ModifiedExpiryPolicy.factoryOf(TTL)));
    CacheEntryExpiredListener<String, String> failing =
        events -> {
          throw new IllegalStateException("as told");
        };
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> failing, null, false, true));
    cache.put(Operations.KEY, Operations.OLD);
    clock.advanceMillis(TTL_MILLIS);
    assertThat(cache.get(Operations.KEY)).isNull();
  }

  @Test
  void whatCannotExpireIsNeverToldOf() {
    Cache<String, String> cache =
        manager.createCache(
            "c",
            configuration(EternalExpiryPolicy.factoryOf())
                .addCacheEntryListenerConfiguration(notes(true)));
    cache.put(Operations.KEY, Operations.OLD);
    clock.advanceMillis(TimeUnit.DAYS.toMillis(10_000));
    assertThat(cache.get(Operations.KEY)).isEqualTo(Operations.OLD);
    assertThat(log).containsExactly("CREATED k null->old");
  }
}

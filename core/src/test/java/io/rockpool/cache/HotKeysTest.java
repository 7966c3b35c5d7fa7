package io.rockpool.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.engine.Upkeep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How hot keys are kept and brought back, step by step. */
final class HotKeysTest {
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  private final Engine engine = MemoryEngine.builder().build();
  private final Catalog catalog = new Catalog(engine);
  private final Caches caches = new Caches(engine, catalog, Codecs.defaults());

  @AfterEach
  void close() {
    caches.close();
    engine.close();
  }

  private PersistentCache<String, String> cache(CacheOptions<String, String> options) {
    return caches.openOwn("cache", TEXT, TEXT, options.warmRestart(false));
  }

  private PersistentCache<String, String> cache() {
    return cache(CacheOptions.<String, String>defaults().hotEntries(10_000));
  }

  private WarmRestart<String, String> warmRestart(PersistentCache<String, String> cache) {
    HotTier tier = Objects.requireNonNull(cache.entries.hotTier());
    return new WarmRestart<>(cache.entries, tier, new HotKeys(catalog, "cache", engine));
  }

  private static List<String> keys(int number, int length) {
    return IntStream.range(0, number).mapToObj(i -> i + "-" + "k".repeat(length)).toList();
  }

  /** Keeps the keys of a cache in which these are hot. */
  private void keep(List<String> keys) {
    PersistentCache<String, String> cache = cache();
    WarmRestart<String, String> restart = warmRestart(cache);
    restart.bringBack(nanos -> {});
    keys.forEach(key -> cache.put(key, "v"));
    restart.keep();
    cache.close();
  }

  private List<String> kept() {
    HotKeys hotKeys = new HotKeys(catalog, "cache", engine);
    List<String> kept = new ArrayList<>();
    List<byte[]> part = hotKeys.part(0);
    for (int i = 1; part != null; i++) {
      part.forEach(key -> kept.add(Codecs.defaults().keyCodec(TEXT).decode(key, 0, key.length)));
      part = hotKeys.part(i);
    }
    return kept;
  }

  @Test
  void whatIsKeptReplacesWhatWas() {
    keep(keys(5_000, 20));
    assertThat(kept()).hasSize(5_000).containsAll(keys(5_000, 20));
    PersistentCache<String, String> cache = cache();
    cache.clear();
    cache.close();
    keep(keys(10, 20));
    assertThat(kept()).containsExactlyInAnyOrderElementsOf(keys(10, 20));
  }

  @Test
  void theirBytesAreBounded() {
    int length = 60_000;
    keep(keys(50, length));
    assertThat(kept()).hasSize(HotKeys.MAX_BYTES / length);
  }

  @Test
  void nothingIsWrittenWhereNothingWasUsed() {
    PersistentCache<String, String> cache = cache();
    WarmRestart<String, String> restart = warmRestart(cache);
    restart.bringBack(nanos -> {});
    cache.put("a", "v");
    restart.keep();
    engine.dropAll("rockpool:hot");
    restart.keep();
    assertThat(engine.list("rockpool:hot")).isEmpty();
  }

  @Test
  void whatIsStoppedHalfWayKeepsWhatWasKept() {
    keep(keys(5_000, 20));
    PersistentCache<String, String> cache = cache();
    WarmRestart<String, String> stopped = warmRestart(cache);
    stopped.bringBack(nanos -> stopped.stop());
    assertThat(stopped.broughtBack).isCompleted();
    assertThat(cache.statistics().warmed()).isBetween(1L, 1_000L);
    stopped.keep();
    assertThat(kept()).hasSize(5_000);
  }

  @Test
  void aFullTierTakesNoMore() {
    keep(keys(10_000, 20));
    PersistentCache<String, String> small =
        cache(CacheOptions.<String, String>defaults().hotEntries(100));
    WarmRestart<String, String> restart = warmRestart(small);
    restart.bringBack(nanos -> {});
    // Caffeine notes writes, and evicts for them, some hundreds at a time.
    assertThat(small.statistics().warmed()).isBetween(100L, 9_000L);
    small.get("another");
    restart.keep();
  }

  @Test
  void aCacheThatWasNotUsedWritesNothing() {
    WarmRestart<String, String> restart = warmRestart(cache());
    restart.bringBack(nanos -> {});
    restart.keep();
    assertThat(catalog.hotKeys("cache", false)).isNull();
  }

  @Test
  void aCacheThatIsClosedMeanwhileEndsIt() {
    keep(keys(5_000, 20));
    PersistentCache<String, String> cache = cache();
    WarmRestart<String, String> restart = warmRestart(cache);
    restart.bringBack(
        nanos -> {
          catalog.drop("cache");
        });
    assertThat(restart.broughtBack).isCompleted();
    restart.keep();
    assertThat(catalog.hotKeys("cache", false)).isNull();
  }

  /** Notes when the thread of warm restarts encodes a key. */
  private record NotingCodec(Codec<String> codec, CountDownLatch noted) implements Codec<String> {
    @Override
    public String id() {
      return codec.id();
    }

    @Override
    public byte[] encode(String value) {
      if (Thread.currentThread().getName().equals("rockpool-warm")) {
        noted.countDown();
      }
      return codec.encode(value);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return codec.decode(bytes, offset, length);
    }

    @Override
    public boolean immutable() {
      return codec.immutable();
    }
  }

  @Test
  void aTimerKeepsThem() throws InterruptedException {
    CountDownLatch noted = new CountDownLatch(1);
    PersistentCache<String, String> cache =
        cache(
            CacheOptions.<String, String>defaults()
                .keyCodec(new NotingCodec(Codecs.defaults().keyCodec(TEXT), noted)));
    cache.put("a", "v");
    WarmRestarts restarts = new WarmRestarts(Duration.ofMillis(1), new Upkeep());
    WarmRestart<String, String> restart = warmRestart(cache);
    restarts.add(restart);
    assertThat(noted.await(30, SECONDS)).isTrue();
    restarts.close();
    assertThat(kept()).containsExactly("a");
  }

  /** Waits in encode until it is let go, on one thread. */
  private record WaitingCodec(
      Codec<String> codec,
      AtomicReference<Thread> waiter,
      CountDownLatch waits,
      CountDownLatch ends)
      implements Codec<String> {
    @Override
    public String id() {
      return codec.id();
    }

    @Override
    public byte[] encode(String value) {
      if (Thread.currentThread() == waiter.get()) {
        waits.countDown();
        try {
          ends.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return codec.encode(value);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return codec.decode(bytes, offset, length);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  @Test
  @Timeout(60)
  void aCodecThatWaitsHoldsNoLockAndItsOlderKeysAreLeftOut() throws InterruptedException {
    AtomicReference<Thread> waiter = new AtomicReference<>();
    WaitingCodec codec =
        new WaitingCodec(
            Codecs.defaults().keyCodec(TEXT), waiter, new CountDownLatch(1), new CountDownLatch(1));
    PersistentCache<String, String> cache =
        cache(CacheOptions.<String, String>defaults().keyCodec(codec));
    WarmRestart<String, String> restart = warmRestart(cache);
    restart.bringBack(nanos -> {});
    cache.put("a", "v");
    Thread older = new Thread(restart::keep);
    waiter.set(older);
    older.start();
    codec.waits.await();
    cache.put("b", "v");
    restart.keep();
    assertThat(kept()).containsExactlyInAnyOrder("a", "b");
    codec.ends.countDown();
    older.join();
    assertThat(kept()).containsExactlyInAnyOrder("a", "b");
  }
}

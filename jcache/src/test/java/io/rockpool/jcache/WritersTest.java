package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Limits;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import javax.cache.management.CacheStatisticsMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a writer refuses, or has to write in vain. */
class WritersTest extends JCacheTest {
  private final List<String> log = new ArrayList<>();
  private final CacheManager manager = managerOver(MemoryEngine.builder().build());
  private boolean listenersFail;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private static String text(Object key) {
    return key instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : "" + key;
  }

  /** Writes in the order in which it is asked, up to the key it refuses, and notes it. */
  private final class Ledger<K> implements CacheWriter<K, String> {
    private final String refused;

    Ledger(String refused) {
      this.refused = refused;
    }

    private void note(String call, Object key) {
      if (text(key).equals(refused)) {
        throw new IllegalStateException("refused");
      }
      log.add(call + " " + text(key));
    }

    @Override
    public void write(Cache.Entry<? extends K, ? extends String> entry) {
      note("write", entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends K, ? extends String>> entries) {
      for (var left = entries.iterator(); left.hasNext(); ) {
        write(left.next());
        left.remove();
      }
    }

    @Override
    public void delete(Object key) {
      note("delete", key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      for (var left = keys.iterator(); left.hasNext(); ) {
        delete(left.next());
        left.remove();
      }
    }
  }

  /** Notes each event, and then may fail. */
  private final class Ear
      implements CacheEntryCreatedListener<String, String>,
          CacheEntryRemovedListener<String, String> {
    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      events.forEach(it -> log.add(it.getEventType() + " " + it.getKey()));
      if (listenersFail) {
        throw new CacheEntryListenerException("as told");
      }
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      hear(events);
    }
  }

  private static <K> MutableConfiguration<K, String> through(
      Class<K> keyType, CacheWriter<K, String> writer) {
    return new MutableConfiguration<K, String>()
        .setTypes(keyType, String.class)
        .setCacheWriterFactory(() -> writer)
        .setWriteThrough(true);
  }

  private Cache<String, String> watched(String refused) {
    return manager.createCache(
        "c",
        through(String.class, new Ledger<>(refused))
            .setStatisticsEnabled(true)
            .addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(Ear::new, null, true, true)));
  }

  private static Map<String, String> entries(Cache<String, String> cache) {
    Map<String, String> entries = new TreeMap<>();
    cache.forEach(it -> entries.put(it.getKey(), it.getValue()));
    return entries;
  }

  private static Map<String, String> three() {
    Map<String, String> three = new LinkedHashMap<>();
    three.put("a", "1");
    three.put("bad", "2");
    three.put("z", "3");
    return three;
  }

  @Test
  void theEntriesBeforeTheOneThatIsRefusedArePutToldAndCounted() {
    Cache<String, String> cache = watched("bad");
    assertThatThrownBy(() -> cache.putAll(three()))
        .isInstanceOf(CacheWriterException.class)
        .hasMessageContaining("has only those changes that the writer made before")
        .hasRootCauseMessage("refused");
    assertThat(log).containsExactly("write a", "CREATED a");
    assertThat(statistics(cache).orElseThrow().getCachePuts()).isEqualTo(1);
    assertThat(entries(cache)).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void theEntriesBeforeTheOneThatStaysAreRemovedToldAndCounted() {
    Cache<String, String> cache = watched("bad");
    kernelOf(cache).putAll(three());
    Set<String> keys = new LinkedHashSet<>(List.of("a", "bad", "z"));
    assertThatThrownBy(() -> cache.removeAll(keys))
        .isInstanceOf(CacheWriterException.class)
        .hasMessageContaining("has only those changes that the writer made before")
        .hasRootCauseMessage("refused");
    assertThat(log).containsExactly("delete a", "REMOVED a");
    assertThat(statistics(cache).orElseThrow().getCacheRemovals()).isEqualTo(1);
    assertThat(entries(cache)).isEqualTo(Map.of("bad", "2", "z", "3"));
  }

  @Test
  void theWritersFailureGoesBeforeThatOfListeners() {
    Cache<String, String> cache = watched("bad");
    listenersFail = true;
    assertThatThrownBy(() -> cache.putAll(three()))
        .isInstanceOf(CacheWriterException.class)
        .satisfies(
            it ->
                assertThat(it.getSuppressed())
                    .singleElement()
                    .isInstanceOf(CacheEntryListenerException.class));
    assertThat(statistics(cache).orElseThrow().getCachePuts()).isEqualTo(1);
  }

  @Test
  void aFailureOfTwoListenersThatIsTheSameIsThrown() {
    Cache<String, String> cache = watched("none");
    CacheEntryListenerException same = new CacheEntryListenerException("the same");
    for (boolean oldValues : new boolean[] {false, true}) {
      CacheEntryCreatedListener<String, String> failing =
          events -> {
            throw same;
          };
      cache.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> failing, null, oldValues, true));
    }
    assertThatThrownBy(() -> cache.put("k", "v")).isSameAs(same);
  }

  @Test
  void removeAllGoesOnAfterABatchThatIsRefused() {
    int entries = 3_000;
    Cache<String, String> cache =
        manager.createCache(
            "c", through(String.class, new Ledger<>("k7")).setStatisticsEnabled(true));
    Map<String, String> all = new LinkedHashMap<>();
    IntStream.range(0, entries).forEach(i -> all.put("k" + i, "v"));
    kernelOf(cache).putAll(all);
    assertThatThrownBy(cache::removeAll).isInstanceOf(CacheWriterException.class);
    CacheStatisticsMXBean statistics = statistics(cache).orElseThrow();
    assertThat(entries(cache)).containsKey("k7").hasSizeLessThanOrEqualTo(1_024);
    assertThat(statistics.getCacheRemovals())
        .isEqualTo(log.size())
        .isEqualTo(entries - StreamSupport.stream(cache.spliterator(), false).count());
  }

  /** A system of record: what it was told last is what it has. */
  private record Rows(Map<String, String> rows) implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.forEach(this::write);
    }

    @Override
    @SuppressWarnings("CollectionIncompatibleType") // the keys are texts
    public void delete(Object key) {
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
    }
  }

  private static void change(Cache<String, String> cache, Random random) {
    List<String> keys = List.of("a", "b", "c");
    String key = keys.get(random.nextInt(keys.size()));
    String value = "v" + random.nextInt(4);
    switch (random.nextInt(11)) {
      case 0 -> cache.put(key, value);
      case 1 -> cache.remove(key);
      case 2 -> cache.replace(key, value);
      case 3 -> cache.replace(key, "v1", value);
      case 4 -> cache.remove(key, "v2");
      case 5 -> cache.putIfAbsent(key, value);
      case 6 -> cache.putAll(Map.of("a", value, "b", value));
      case 7 -> cache.removeAll(Set.of("b", "c"));
      case 8 -> cache.getAndPut(key, value);
      case 9 -> cache.getAndRemove(key);
      default -> cache.getAndReplace(key, value);
    }
  }

  @Test
  void afterManyThreadsTheWriterHasWhatTheCacheHas() throws Exception {
    int threads = 4;
    Map<String, String> rows = new ConcurrentHashMap<>();
    Cache<String, String> cache = manager.createCache("c", through(String.class, new Rows(rows)));
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (long seed : Seeds.all().toArray()) {
        for (int round = 0; round < 100; round++) {
          long ofRound = seed * 1_000 + (long) round * threads;
          List<Callable<Void>> all = new ArrayList<>();
          for (int i = 0; i < threads; i++) {
            Random random = new Random(ofRound + i);
            all.add(
                () -> {
                  for (int j = 0; j < 20; j++) {
                    change(cache, random);
                  }
                  return null;
                });
          }
          for (Future<Void> done : executor.invokeAll(all)) {
            done.get();
          }
          assertThat(entries(cache)).as("seed %s, round %s", seed, round).isEqualTo(rows);
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  @SuppressWarnings("ArrayAsKeyOfSetOrMap") // as somebody will
  void keysNeedNotEqualTheirCopies() {
    byte[] good = {1};
    byte[] bad = {2};
    byte[] unseen = {3};
    Cache<byte[], String> cache =
        manager.createCache("c", through(byte[].class, new Ledger<>("02")));
    Map<byte[], String> three = new LinkedHashMap<>();
    for (byte[] key : new byte[][] {good, bad, unseen}) {
      three.put(key, "v");
    }
    assertThatThrownBy(() -> cache.putAll(three)).isInstanceOf(CacheWriterException.class);
    assertThat(cache.containsKey(good)).isTrue();
    assertThat(cache.containsKey(bad)).isFalse();
    assertThat(cache.containsKey(unseen)).isFalse();

    kernelOf(cache).putAll(three);
    Set<byte[]> keys = new LinkedHashSet<>(Arrays.asList(good, bad, unseen));
    assertThatThrownBy(() -> cache.removeAll(keys)).isInstanceOf(CacheWriterException.class);
    assertThat(cache.containsKey(good)).isFalse();
    assertThat(cache.containsKey(bad)).isTrue();
    assertThat(cache.containsKey(unseen)).isTrue();
  }

  /** Refuses long texts; its values cannot be changed, so nobody needs copies of them. */
  private static final class ShortTexts implements Codec<String> {
    @Override
    public String id() {
      return "short";
    }

    @Override
    public byte[] encode(String value) {
      if (value.length() > 3) {
        throw new UnencodableValueException("\"" + value + "\" is too long.", null);
      }
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  @Test
  void whatTheCacheCouldNotStoreIsNotWritten() {
    CompleteConfiguration<String, String> configuration =
        RockpoolConfiguration.of(String.class, String.class)
            .writer(() -> new Ledger<>("none"))
            .writeThrough(true)
            .valueCodec(new ShortTexts());
    Cache<String, String> cache = manager.createCache("c", configuration);
    cache.put("k", "old");
    log.clear();
    assertThatThrownBy(() -> cache.put("k", "too long")).isInstanceOf(CacheException.class);
    assertThatThrownBy(() -> cache.replace("k", "too long")).isInstanceOf(CacheException.class);
    assertThatThrownBy(() -> cache.putAll(Map.of("k", "too long", "a", "b")))
        .isInstanceOf(CacheException.class);
    assertThatThrownBy(
            () ->
                cache.invoke(
                    "k",
                    (entry, arguments) -> {
                      entry.setValue("too long");
                      return null;
                    }))
        .isInstanceOf(CacheException.class);
    String longKey = "k".repeat(Limits.MAX_HASH_KEY_BYTES + 1);
    assertThatThrownBy(() -> cache.put(longKey, "new")).isInstanceOf(CacheException.class);
    assertThatThrownBy(() -> cache.remove(longKey)).isInstanceOf(CacheException.class);
    assertThat(log).isEmpty();
    assertThat(cache.get("k")).isEqualTo("old");
  }

  @Test
  void withoutAnyEntryItIsNotCalled() {
    Observer observer = new Observer();
    Cache<String, String> cache =
        manager.createCache(
            "c",
            new MutableConfiguration<String, String>()
                .setTypes(String.class, String.class)
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> observer.writer));
    cache.putAll(Map.of());
    cache.removeAll(Set.of());
    cache.removeAll();
    cache.invokeAll(Set.of(), (entry, arguments) -> null);
    assertThat(observer.take()).isEmpty();
  }
}

package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheWriter;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProcessorTest extends JCacheTest {
  private static final int THREADS = 8;
  private static final int TIMES = 250;
  private static final int TOTAL = THREADS * TIMES;
  private static final Set<String> KEYS = Set.of("left", "right");

  private static final EntryProcessor<String, Integer, Integer> INCREMENT =
      (entry, arguments) -> {
        entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
        return entry.getValue();
      };

  private Cache<String, Integer> cache;

  @BeforeEach
  void open() {
    cache =
        manager()
            .createCache(
                "numbers",
                new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class));
  }

  @Test
  void processorsOfManyThreadsLoseNothing() throws Exception {
    inManyThreads(
        () -> {
          cache.invoke("left", INCREMENT);
          cache.invoke("right", INCREMENT);
        });
    assertThat(cache.getAll(KEYS)).isEqualTo(Map.of("left", TOTAL, "right", TOTAL));
  }

  @Test
  void norDoThoseOfManyKeysAtOnce() throws Exception {
    inManyThreads(() -> cache.invokeAll(KEYS, INCREMENT));
    assertThat(cache.getAll(KEYS)).isEqualTo(Map.of("left", TOTAL, "right", TOTAL));
  }

  @Test
  void theWriterSeesTheOrderInWhichTheCacheChanges() throws Exception {
    Map<String, List<Integer>> written = new ConcurrentHashMap<>();
    CacheWriter<String, Integer> writer = new NotingWriter(written);
    Cache<String, Integer> through =
        manager()
            .createCache(
                "through",
                new MutableConfiguration<String, Integer>()
                    .setTypes(String.class, Integer.class)
                    .setCacheWriterFactory(() -> writer)
                    .setWriteThrough(true));
    inManyThreads(
        () -> {
          through.invoke("left", INCREMENT);
          through.invokeAll(KEYS, INCREMENT);
          through.invoke("right", INCREMENT);
        });
    List<Integer> inOrder = IntStream.rangeClosed(1, 2 * TOTAL).boxed().toList();
    assertThat(written).isEqualTo(Map.of("left", inOrder, "right", inOrder));
    assertThat(through.getAll(KEYS)).isEqualTo(Map.of("left", 2 * TOTAL, "right", 2 * TOTAL));
  }

  /** Notes what it is to write, by key. */
  private record NotingWriter(Map<String, List<Integer>> written)
      implements CacheWriter<String, Integer> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      written
          .computeIfAbsent(entry.getKey(), key -> Collections.synchronizedList(new ArrayList<>()))
          .add(entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      entries.forEach(this::write);
    }

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}
  }

  private static void inManyThreads(Runnable work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Void> often =
          () -> {
            for (int i = 0; i < TIMES; i++) {
              work.run();
            }
            return null;
          };
      for (var done : threads.invokeAll(Collections.nCopies(THREADS, often))) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aProcessorThatThrowsChangesNothing() {
    cache.put("a", 1);
    EntryProcessor<String, Integer, Object> failing =
        (entry, arguments) -> {
          entry.setValue(2);
          throw new IllegalStateException("no");
        };
    assertThatThrownBy(() -> cache.invoke("a", failing))
        .isInstanceOf(EntryProcessorException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void argumentsArriveAndMayNotBeNull() {
    assertThat(cache.<Object>invoke("a", (entry, arguments) -> List.of(arguments), 1, "two"))
        .isEqualTo(List.of(1, "two"));
    assertThatThrownBy(() -> cache.invoke("a", INCREMENT, (Object[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> cache.invoke(null, INCREMENT))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aValueThatCannotBeStoredIsTheFailureOfItsKeyAlone() {
    Cache<String, Object> objects =
        manager()
            .createCache(
                "objects", new MutableConfiguration<String, Object>().setStatisticsEnabled(true));
    Set<String> keys = new LinkedHashSet<>();
    IntStream.range(0, 300).forEach(i -> keys.add("k" + i));
    Map<String, EntryProcessorResult<Object>> results =
        objects.invokeAll(
            keys,
            (entry, arguments) -> {
              entry.setValue(entry.getKey().equals("k280") ? new Thread() : "set");
              return "done";
            });
    assertThat(results).hasSize(300);
    assertThatThrownBy(() -> results.get("k280").get())
        .isInstanceOf(EntryProcessorException.class)
        .hasMessageContaining(Thread.class.getName());
    assertThat(results.get("k279").get()).isEqualTo("done");
    assertThat(results.get("k281").get()).isEqualTo("done");
    assertThat(objects.containsKey("k280")).isFalse();
    assertThat(objects.containsKey("k299")).isTrue();
    assertThat(statistics(objects).orElseThrow().getCachePuts()).isEqualTo(299);
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // as callers without types do
  void aValueOfAnotherTypeIsRefused() {
    EntryProcessor wrong =
        (entry, arguments) -> {
          entry.setValue("a text");
          return null;
        };
    assertThatThrownBy(() -> cache.invoke("a", wrong))
        .isInstanceOf(EntryProcessorException.class)
        .hasCauseInstanceOf(ClassCastException.class);
    Map<String, EntryProcessorResult<Object>> results = cache.invokeAll(Set.of("a"), wrong);
    assertThatThrownBy(() -> results.get("a").get())
        .isInstanceOf(EntryProcessorException.class)
        .hasCauseInstanceOf(ClassCastException.class);
  }

  @Test
  void invokeAllHasAResultForEachKeyThatHasOne() {
    cache.put("a", 1);
    EntryProcessor<String, Integer, Integer> valueOrFailure =
        (entry, arguments) -> {
          if (entry.getKey().equals("bad")) {
            throw new IllegalStateException("no");
          }
          return entry.getValue();
        };
    Map<String, EntryProcessorResult<Integer>> results =
        cache.invokeAll(Set.of("a", "none", "bad"), valueOrFailure);
    assertThat(results).containsOnlyKeys("a", "bad");
    assertThat(results.get("a").get()).isEqualTo(1);
    assertThatThrownBy(() -> results.get("bad").get()).isInstanceOf(EntryProcessorException.class);
  }

  /** Changes of an entry through the cache, by the processor that was called for it. */
  private static final List<BiConsumer<Cache<String, Integer>, String>> OWN_CHANGES =
      List.of(
          (cache, key) -> cache.put(key, ThreadLocalRandom.current().nextInt()),
          (cache, key) -> cache.getAndPut(key, ThreadLocalRandom.current().nextInt()),
          (cache, key) -> cache.putAll(Map.of(key, ThreadLocalRandom.current().nextInt())),
          (cache, key) -> cache.replace(key, ThreadLocalRandom.current().nextInt()),
          (cache, key) -> cache.remove(key),
          (cache, key) -> cache.getAndRemove(key),
          (cache, key) -> cache.removeAll(Set.of(key)),
          (cache, key) -> cache.invoke(key, INCREMENT),
          (cache, key) -> cache.invokeAll(Set.of(key), INCREMENT));

  @Test
  @Timeout(60)
  void aProcessorThatChangesItsEntryThroughTheCacheIsRefused() {
    Cache<String, Integer> watched =
        manager()
            .createCache(
                "watched",
                new MutableConfiguration<String, Integer>()
                    .setTypes(String.class, Integer.class)
                    .addCacheEntryListenerConfiguration(new ReplayedEvents().registration(true)));
    for (Cache<String, Integer> each : List.of(cache, watched)) {
      OWN_CHANGES.forEach(
          change -> {
            each.put("a", 1);
            EntryProcessor<String, Integer, Integer> own =
                (entry, arguments) -> {
                  each.put("other", 1);
                  change.accept(each, entry.getKey());
                  entry.setValue(2);
                  return 2;
                };
            assertRefused(() -> each.invoke("a", own));
            assertRefused(() -> each.invokeAll(Set.of("a"), own).get("a").get());
            assertRefused(
                () ->
                    each.getCacheManager()
                        .unwrap(Rockpool.class)
                        .atomically(tx -> each.invoke("a", own)));
            assertThat(each.get("a")).isEqualTo(1);
            each.put("a", 3); // the call is over
            assertThat(each.get("other")).isEqualTo(1);
          });
      EntryProcessor<String, Integer, Integer> crossed =
          (entry, arguments) -> {
            each.put(entry.getKey().equals("a") ? "b" : "a", 4);
            entry.setValue(5);
            return 5;
          };
      each.invokeAll(Set.of("a", "b"), crossed)
          .values()
          .forEach(result -> assertRefused(result::get));
    }
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(EntryProcessorException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .rootCause()
        .hasMessageContaining("MutableEntry");
  }
}

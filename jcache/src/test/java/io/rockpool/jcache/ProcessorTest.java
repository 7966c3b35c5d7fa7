package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheWriter;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  /** Of a class that nobody allowed. */
  private record Secret(String text) {}

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
              entry.setValue(entry.getKey().equals("k280") ? new Secret("s") : "set");
              return "done";
            });
    assertThat(results).hasSize(300);
    assertThatThrownBy(() -> results.get("k280").get())
        .isInstanceOf(EntryProcessorException.class)
        .hasMessageContaining(AllowedNames.PROPERTY);
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
}

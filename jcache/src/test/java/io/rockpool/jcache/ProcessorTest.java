package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessorTest extends JCacheTest {
  private static final int THREADS = 8;
  private static final int TIMES = 250;

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
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Void> work =
          () -> {
            for (int i = 0; i < TIMES; i++) {
              cache.invoke("left", INCREMENT);
              cache.invoke("right", INCREMENT);
            }
            return null;
          };
      for (var done : threads.invokeAll(Stream.generate(() -> work).limit(THREADS).toList())) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cache.getAll(Set.of("left", "right")))
        .isEqualTo(Map.of("left", THREADS * TIMES, "right", THREADS * TIMES));
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

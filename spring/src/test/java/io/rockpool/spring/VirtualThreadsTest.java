package io.rockpool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentCounter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;

/**
 * Virtual threads that use caches and collections all at once, and wait for each other in them:
 * none keeps its carrier while it waits. Before Java 24 each {@code synchronized} did.
 */
@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "synchronized pinned virtual threads")
final class VirtualThreadsTest {
  private static final int THREADS = 100;
  private static final int ROUNDS = 30;
  private static final int KEYS = 10;
  private static final long PAUSE_NANOS = 10_000;

  @TempDir private Path directory;

  @Test
  void noneIsPinnedWhileItWaits() throws Exception {
    // Who loads and initializes classes is pinned by the virtual machine itself.
    useTheStore();
    Path events = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      recording.start();
      useTheStore();
      recording.dump(events);
    }
    List<String> pinned = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(events)) {
      if (String.valueOf(event.getStackTrace()).contains("io.rockpool.")) {
        pinned.add(event.toString());
      }
    }
    assertThat(pinned).isEmpty();
  }

  private void useTheStore() throws Exception {
    try (Rockpool pool = SuiteStores.open(directory.resolve("store"));
        RockpoolCacheManager manager = new RockpoolCacheManager(pool)) {
      PersistentCounter counter = pool.counter("rounds");
      counter.clear();
      ExecutorService threads = virtualThreads();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(threads.submit(() -> use(manager, pool, counter, thread)));
      }
      for (Future<?> each : running) {
        each.get(30, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(counter.get()).isEqualTo(THREADS * ROUNDS);
    }
  }

  private static void use(
      RockpoolCacheManager manager, Rockpool pool, PersistentCounter counter, int thread) {
    for (int round = 0; round < ROUNDS; round++) {
      Cache cache = manager.getCache("cache-" + thread % 3);
      int key = (thread + round) % KEYS;
      cache.get(
          key,
          () -> {
            LockSupport.parkNanos(PAUSE_NANOS);
            return "loaded";
          });
      cache.put(key + KEYS, "v");
      cache.get(key + KEYS);
      if (round % 10 == 0) {
        cache.evict(key);
      }
      pool.atomically(tx -> counter.incrementAndGet());
    }
  }

  /** By reflection: this is compiled for Java 17. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }
}

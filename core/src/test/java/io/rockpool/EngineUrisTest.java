package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.HeapBudget;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.EngineNotFoundException;
import io.rockpool.store.Durability;
import io.rockpool.store.OnCorruption;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.MemoryEngineProvider;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores on engines that are found by URI. */
final class EngineUrisTest {
  private final URI uri = URI.create("memory://" + UUID.randomUUID());

  @Test
  void eachOpeningIsAnotherHandleOfTheData() throws Exception {
    try (Rockpool one = Rockpool.open(uri);
        Rockpool other = Rockpool.open(URI.create("rockpool+" + uri))) {
      PersistentCache<String, Long> mine = one.cache("c", String.class, Long.class);
      PersistentCache<String, Long> theirs = other.cache("c", String.class, Long.class);
      mine.put("k", 1L);
      assertThat(theirs.get("k")).isEqualTo(1);
      mine.put("k", 2L);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (theirs.get("k") != 2 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertThat(theirs.get("k")).isEqualTo(2);
      assertThat(one.directory()).isEmpty();
      assertThat(one).hasToString("The memory engine");
    }
  }

  @Test
  void theBuilderHandsItsOptionsOver() {
    FakeClock clock = new FakeClock();
    try (Rockpool pool =
        Rockpool.at(uri)
            .clock(clock)
            .durability(Durability.SYNC)
            .property("timeout", "2s")
            .heapBudgetBytes(HeapBudget.ofProcess().bytes() / 2)
            .open()) {
      EngineOptions options = MemoryEngineProvider.lastOptions();
      assertThat(options)
          .isEqualTo(new EngineOptions(clock, Durability.SYNC, Map.of("timeout", "2s")));
      assertThat(pool.state().heap().bytes()).isEqualTo(HeapBudget.ofProcess().bytes() / 2);
    }
  }

  @Test
  void optionsOfDirectoriesAreRefusedBeforeAnythingIsOpened() {
    assertThatThrownBy(
            () ->
                Rockpool.at(
                        options -> {
                          throw new AssertionError("opened");
                        })
                    .memoryBytes(1 << 20)
                    .onCorruption(OnCorruption.QUARANTINE)
                    .open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("memoryBytes, onCorruption");
  }

  @Test
  void theStoreClosesTheEngineOfAFactory() {
    AtomicReference<MemoryEngine> engine = new AtomicReference<>();
    Rockpool.at(
            options -> {
              engine.set(MemoryEngine.builder().clock(options.clock()).build());
              return engine.get();
            })
        .open()
        .close();
    assertThatThrownBy(() -> engine.get().list("")).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://host:6379, redis, io.rockpool:rockpool-redis",
    "rockpool+rediss://host, rediss, io.rockpool:rockpool-redis",
    "postgresql://host/db, postgresql, io.rockpool:rockpool-postgresql",
    "etcd://host, etcd, Check the scheme"
  })
  void anUnknownSchemeNamesTheArtifact(String unknown, String scheme, String advice) {
    assertThatThrownBy(() -> Rockpool.open(URI.create(unknown)))
        .isInstanceOfSatisfying(
            EngineNotFoundException.class, e -> assertThat(e.scheme()).isEqualTo(scheme))
        .hasMessageContaining(advice)
        .hasMessageContaining("memory");
  }

  @Test
  void messagesShowNoPassword() {
    assertThatThrownBy(() -> Rockpool.open(URI.create("redis://me:se@cret@host/0?password=secret")))
        .isInstanceOf(EngineNotFoundException.class)
        .hasMessageContaining("redis://host/0")
        .hasMessageNotContaining("cret");
  }

  @Test
  void aUriNeedsAScheme() {
    assertThatThrownBy(() -> Rockpool.open(URI.create("some/where")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no scheme");
  }
}

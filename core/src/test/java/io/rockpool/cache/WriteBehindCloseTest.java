package io.rockpool.cache;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreClosedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers that use their cache and its store while closing writes what is pending. */
@Timeout(60)
class WriteBehindCloseTest {
  private static final WriteBehindOptions LATE =
      WriteBehindOptions.defaults()
          .delay(ofHours(1))
          .maximumAttempts(1)
          .closeTimeout(ofMinutes(10));

  private final Map<String, String> target = new ConcurrentHashMap<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** Runs {@code use} before it writes a batch. */
  private BatchWriter<String, String> writer(Consumer<Map<String, String>> use) {
    return new BatchWriter<>() {
      @Override
      public void writeAll(Map<String, String> entries) {
        try {
          use.accept(entries);
        } catch (Throwable e) {
          failures.add(e);
          throw e;
        }
        target.putAll(entries);
      }

      @Override
      public void deleteAll(Set<String> keys) {
        target.keySet().removeAll(keys);
      }
    };
  }

  private PersistentCache<String, String> open(
      Rockpool pool, WriteBehindOptions options, Consumer<Map<String, String>> use) {
    return pool.cache("c", String.class, String.class, o -> o.writeBehind(writer(use), options));
  }

  private static PersistentCache<String, String> plain(Rockpool pool, String name) {
    return pool.cache(name, String.class, String.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriterUsesTheStoreThatIsBeingClosed(boolean hasThread, @TempDir Path directory) {
    WriteBehindOptions options = hasThread ? LATE : LATE.withoutThread();
    try (Rockpool pool = Rockpool.open(directory)) {
      AtomicReference<PersistentCache<String, String>> own = new AtomicReference<>();
      PersistentCache<String, String> other = plain(pool, "other");
      Map<String, String> map = pool.map("map", String.class, String.class);
      own.set(
          open(
              pool,
              options,
              entries -> {
                if (entries.containsKey("a")) {
                  assertThat(own.get().get("a")).isEqualTo("1");
                  own.get().put("seen", "by the writer");
                  assertThat(other.get("x", key -> "loaded")).isEqualTo("loaded");
                  map.put("written", "yes");
                }
              }));
      own.get().put("a", "1");
      assertThat(target).isEmpty();
    }
    assertThat(failures).isEmpty();
    assertThat(target).isEqualTo(Map.of("a", "1", "seen", "by the writer"));
    try (Rockpool pool = Rockpool.open(directory)) {
      assertThat(pool.map("map", String.class, String.class)).containsEntry("written", "yes");
      assertThat(plain(pool, "other").get("x")).isEqualTo("loaded");
      assertThat(plain(pool, "c").get("seen")).isEqualTo("by the writer");
      assertThat(plain(pool, "c").writeBehind().pending()).isZero();
    }
  }

  @Test
  void whatAWriterPutsIntoItsCacheWhileItIsClosedIsKept() {
    try (Rockpool pool = Rockpool.inMemory()) {
      AtomicReference<PersistentCache<String, String>> own = new AtomicReference<>();
      own.set(open(pool, LATE, entries -> own.get().put("again", "and again")));
      own.get().put("a", "1");
      own.get().close();
      assertThat(target).isEqualTo(Map.of("a", "1"));
      assertThat(failures).hasSize(1).allMatch(StoreClosedException.class::isInstance);
      PersistentCache<String, String> again = open(pool, LATE, entries -> {});
      assertThat(again.writeBehind().pending()).isEqualTo(1);
      assertThat(again.writeBehind().deadLetters()).isEmpty();
      again.close();
      assertThat(target).isEqualTo(Map.of("a", "1", "again", "and again"));
    }
  }
}

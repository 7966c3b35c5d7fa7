package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An entry that a transaction meets after its end is told of once, when the outcome is known. */
class ExpiredInTransactionTest extends OnEverySetup {
  private static final Duration TTL = Duration.ofSeconds(10);

  /** What meets an entry; the first leaves its key without one, the others put "new". */
  private static final List<Consumer<PersistentCache<Integer, String>>> READS =
      List.of(
          cache -> cache.get(1),
          cache -> cache.getAll(Set.of(1, 2)),
          cache -> cache.containsKey(1),
          cache -> cache.remove(1),
          cache -> cache.replace(1, "new"),
          cache -> Internals.cache(cache).decideAll(Set.of(1, 2), (key, there) -> Decision.keep()));

  private static final List<Consumer<PersistentCache<Integer, String>>> WRITES =
      List.of(
          cache -> cache.put(1, "new"),
          cache -> cache.putAll(Map.of(1, "new")),
          cache -> cache.putIfAbsent(1, "new"),
          cache -> cache.compute(1, (key, there) -> "new"),
          cache -> cache.get(1, key -> "new"),
          cache ->
              Internals.cache(cache).decideAll(Set.of(1, 2), (key, there) -> Decision.put("new")),
          cache -> {
            cache.get(1);
            cache.put(1, "old");
            cache.put(1, "new");
          });

  private final List<String> told = new ArrayList<>();
  private PersistentCache<Integer, String> cache;

  @BeforeEach
  void open() {
    CacheOptions<Integer, String> options = setup.options();
    cache =
        pool.cache(
            "c", Integer.class, String.class, o -> options.expiry(CacheExpiry.afterWrite(TTL)));
    Internals.cache(cache)
        .onExpired(
            (key, value, removal) -> {
              if (removal.getAsBoolean()) {
                told.add(key + "=" + value);
              }
            });
  }

  private void withExpired() {
    told.clear();
    cache.put(1, "old");
    clock.advanceMillis(TTL.toMillis());
  }

  private void rolledBack(Consumer<PersistentCache<Integer, String>> work) {
    IllegalArgumentException failure = new IllegalArgumentException("no");
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      work.accept(cache);
                      throw failure;
                    }))
        .isSameAs(failure);
  }

  private static <T> Function<T, Boolean> returning(Runnable work) {
    return tx -> {
      work.run();
      return true;
    };
  }

  private void check(Consumer<PersistentCache<Integer, String>> work, String left) {
    withExpired();
    for (int i = 0; i < 3; i++) {
      rolledBack(work);
      assertThat(told).isEmpty();
    }
    pool.atomically(
        returning(
            () -> {
              work.accept(cache);
              assertThat(told).isEmpty();
            }));
    assertThat(told).containsExactly("1=old");
    assertThat(cache.get(1)).isEqualTo(left);
    cache.remove(1);
    assertThat(told).hasSize(1);
  }

  @Test
  void whatMeetsItTellsOnceAfterTheCommit() {
    READS.forEach(work -> check(work, null));
  }

  @Test
  void whatReplacesItTellsOnceAfterTheCommit() {
    WRITES.forEach(work -> check(work, "new"));
  }

  @Test
  void aPartThatIsUndoneTellsNothingOfWhatItReplaced() {
    withExpired();
    pool.atomically(
        returning(
            () -> {
              rolledBack(it -> it.put(1, "new"));
              cache.put(2, "other");
            }));
    assertThat(told).isEmpty();
    assertThat(cache.get(1)).isNull();
    assertThat(told).containsExactly("1=old");
  }

  @Test
  void whatIsPutBeforeItsEndIsNotToldOfThoughTheCommitIsAfterIt() {
    told.clear();
    cache.put(1, "old");
    clock.advanceMillis(TTL.toMillis() - 1);
    pool.atomically(
        returning(
            () -> {
              cache.getAndPut(1, "new");
              clock.advanceMillis(1);
            }));
    assertThat(told).isEmpty();
    assertThat(cache.get(1)).isEqualTo("new");
  }
}

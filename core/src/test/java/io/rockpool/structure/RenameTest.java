package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.SpaceName;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a rename does to a name, and to what is open under it. */
class RenameTest {
  private static final Duration TTL = Duration.ofSeconds(5);

  @TempDir Path directory;
  private StoreUnderTest store;

  private Rockpool open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool();
  }

  private static PersistentMap<String, Long> map(Rockpool pool, String name) {
    return pool.map(name, String.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsContentExpiryAndOptions(Kind kind) {
    Rockpool pool = open(kind);
    TypeRef<String> text = TypeRef.of(String.class);
    PersistentMap<String, String> old = pool.map("a", text, text, o -> o.entryTtl(TTL));
    old.put("k", "v");
    old.clearAfter(TTL.multipliedBy(2));
    store.clock.advanceMillis(1_000);
    assertThat(pool.names().rename("a", "deeper/b")).isTrue();
    assertThat(pool.names().find("a").isPresent()).isFalse();
    store.reopen();
    store.crash();
    PersistentMap<String, String> renamed =
        store.pool().map("deeper/b", String.class, String.class);
    assertThat(renamed.name()).isEqualTo("deeper/b");
    assertThat(renamed).isEqualTo(Map.of("k", "v"));
    assertThat(renamed.ttl("k")).contains(Duration.ofSeconds(4));
    assertThat(renamed.clearsIn()).contains(Duration.ofSeconds(9));
    renamed.put("new", "w");
    assertThat(renamed.ttl("new")).contains(TTL);
    store.clock.advanceMillis(4_000);
    assertThat(renamed).isEqualTo(Map.of("new", "w"));
    store.clock.advanceMillis(5_000);
    assertThat(renamed).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void closesWhatIsOpenUnderTheOldName(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> old = map(pool, "a");
    old.put("k", 1L);
    assertThat(pool.names().rename("a", "b")).isTrue();
    assertThat(old.isClosed()).isTrue();
    assertThatThrownBy(() -> old.put("k", 2L))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("\"a\" was renamed to \"b\"; open it by that name");
    assertThatThrownBy(() -> old.get("k")).isInstanceOf(StoreClosedException.class);
    PersistentMap<String, Long> fresh = map(pool, "a");
    assertThat(fresh).isNotSameAs(old).isEmpty();
    fresh.put("k", 3L);
    assertThat(map(pool, "b")).isEqualTo(Map.of("k", 1L));
  }

  @ParameterizedTest
  @EnumSource
  void refusesATakenNameUnlessItReplaces(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    a.put("k", 1L);
    PersistentSet<String> b = pool.set("b", String.class);
    b.add("element");
    assertThatThrownBy(() -> pool.names().rename("a", "b"))
        .isInstanceOf(NameConflictException.class);
    assertThat(a.get("k")).isEqualTo(1);
    assertThat(b).containsExactly("element");
    assertThat(pool.names().renameReplacing("a", "b")).isTrue();
    assertThatThrownBy(() -> b.add("x"))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("was replaced by what \"a\" held");
    assertThat(map(pool, "b")).isEqualTo(Map.of("k", 1L));
    pool.reclaim();
    assertThat(pool.verify().findings()).isEmpty();
    assertThat(map(store.reopen(), "b")).isEqualTo(Map.of("k", 1L));
    assertThat(store.pool().names().find("a").isPresent()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void changesNothingElse(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    a.put("k", 1L);
    assertThat(pool.names().rename("none", "c")).isFalse();
    assertThat(pool.names().renameReplacing("none", "a")).isFalse();
    assertThat(pool.names().rename("a", "a")).isTrue();
    assertThat(pool.names().rename("none", "none")).isFalse();
    for (String name : List.of("", "x//y", "x/", SpaceName.HINTS + "/x")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.names().renameReplacing("a", name));
    }
    assertThatThrownBy(() -> pool.atomically(tx -> pool.names().rename("a", "b")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(a.get("k")).isEqualTo(1);
    assertThat(pool.names().list()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void worksOnANameThatIsNotOpen(Kind kind) {
    map(open(kind), "a").put("k", 1L);
    Rockpool again = store.reopen();
    assertThat(again.names().rename("a", "b")).isTrue();
    PersistentMap<String, Long> b = map(again, "b");
    b.increment("k", 1);
    b.clear();
    b.put("k", 7L);
    assertThat(again.names().rename("b", "c")).isTrue();
    assertThat(map(store.crash(), "c")).isEqualTo(Map.of("k", 7L));
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void wakesATaker(Kind kind) throws Exception {
    Rockpool pool = open(kind);
    PersistentDeque<String> deque = pool.deque("a", String.class);
    Threads.Running<String> taking = Threads.start(deque::take);
    taking.awaitWaiting();
    pool.names().rename("a", "b");
    assertThatThrownBy(taking::result).hasRootCauseInstanceOf(StoreClosedException.class);
    PersistentDeque<String> renamed = pool.deque("b", String.class);
    renamed.add("x");
    assertThat(renamed.take()).isEqualTo("x");
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void failsATransactionThatUsedTheOldName(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    a.put("k", 1L);
    assertThatThrownBy(
            () ->
                pool.atomically(
                    tx -> {
                      a.put("k", 2L);
                      return renamedByAnother(pool);
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(map(pool, "b")).isEqualTo(Map.of("k", 1L));
  }

  private static boolean renamedByAnother(Rockpool pool) {
    try {
      return Threads.start(() -> pool.names().rename("a", "b")).result();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A count that is lost would be an increment that was acknowledged, or two that met. */
  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void losesNoChangeOfOtherThreads(Kind kind) throws Exception {
    Rockpool pool = open(kind);
    map(pool, "0").clear(); // rows keep their locks, though records get new keys
    AtomicReference<PersistentMap<String, Long>> current = new AtomicReference<>(map(pool, "0"));
    List<Threads.Running<Long>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      running.add(Threads.start(() -> count(current)));
    }
    for (int i = 0; i < 20; i++) {
      Thread.sleep(2);
      assertThat(pool.names().rename("" + i, "" + (i + 1))).isTrue();
      current.set(map(pool, "" + (i + 1)));
    }
    PersistentMap<String, Long> last = current.get();
    do {
      Thread.sleep(2);
    } while (last.isEmpty());
    current.set(null);
    long sum = 0;
    for (Threads.Running<Long> each : running) {
      sum += each.result();
    }
    assertThat(sum).isPositive();
    assertThat(last).isEqualTo(Map.of("k", sum));
    assertThat(pool.verify().findings()).isEmpty();
  }

  /** Increments until there is no map; returns how often. */
  private static long count(AtomicReference<PersistentMap<String, Long>> current) {
    long count = 0;
    for (PersistentMap<String, Long> map = current.get(); map != null; map = current.get()) {
      try {
        map.increment("k", 1);
        count++;
      } catch (StoreClosedException e) {
        // It was renamed; the next one is on its way.
      }
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void renamesCaches(Kind kind) {
    Rockpool pool = open(kind);
    PersistentCache<String, String> a = pool.cache("a", String.class, String.class);
    a.put("k", "v");
    PersistentCache<String, String> b = pool.cache("b", String.class, String.class);
    b.put("k", "w");
    assertThat(pool.names().renameReplacing("a", "b")).isTrue();
    assertThatThrownBy(() -> a.get("k")).hasMessageContaining("renamed to \"b\"");
    assertThatThrownBy(() -> b.get("k")).isInstanceOf(StoreClosedException.class);
    assertThat(pool.cache("b", String.class, String.class).get("k")).isEqualTo("v");
    assertThat(pool.cache("a", String.class, String.class).get("k")).isNull();
  }
}

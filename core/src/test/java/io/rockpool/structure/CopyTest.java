package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a copy of a name has, and what stays as it was. */
@Tag("encrypted")
class CopyTest {
  private static final Duration TTL = Duration.ofSeconds(5);

  /** More than one batch of a copy. */
  private static final int MANY = 20_000;

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
  void hasContentExpiryAndOptions(Kind kind) {
    Rockpool pool = open(kind);
    TypeRef<String> text = TypeRef.of(String.class);
    PersistentMap<String, String> source = pool.map("a", text, text, o -> o.entryTtl(TTL));
    source.put("k", "v");
    source.put("gone", "v", Duration.ofMillis(500));
    source.clearAfter(TTL.multipliedBy(2));
    store.clock.advanceMillis(1_000);
    assertThat(pool.names().copy("a", "deeper/b")).isTrue();
    source.put("k", "changed");
    store.reopen();
    store.crash();
    PersistentMap<String, String> copy = store.pool().map("deeper/b", String.class, String.class);
    assertThat(copy).isEqualTo(Map.of("k", "v"));
    assertThat(copy.ttl("k")).contains(Duration.ofSeconds(4));
    assertThat(copy.clearsIn()).contains(Duration.ofSeconds(9));
    copy.put("new", "w");
    assertThat(copy.ttl("new")).contains(TTL);
    store.pool().reclaim();
    assertThat(copy.count()).isEqualTo(2);
    store.clock.advanceMillis(4_000);
    store.pool().reclaim();
    assertThat(copy.count()).isEqualTo(1);
    assertThat(store.pool().map("a", String.class, String.class)).isEqualTo(Map.of("k", "changed"));
    store.clock.advanceMillis(5_000);
    assertThat(copy).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void refusesATakenNameUnlessItReplaces(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    a.put("k", 1L);
    PersistentDeque<String> b = pool.deque("b", String.class);
    b.add("element");
    assertThatThrownBy(() -> pool.names().copy("a", "b")).isInstanceOf(NameConflictException.class);
    assertThat(b).containsExactly("element");
    assertThat(pool.names().copyReplacing("a", "b")).isTrue();
    assertThatThrownBy(() -> b.add("x"))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("was replaced by a copy of \"a\"");
    assertThat(map(pool, "b")).isEqualTo(a);
    assertThat(a.isClosed()).isFalse();
    assertThat(pool.names().list()).hasSize(2);
    pool.reclaim();
    assertThat(pool.verify().findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void changesNothingElse(Kind kind) {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    a.put("k", 1L);
    pool.cache("cache", String.class, String.class).put("k", "v");
    assertThat(pool.names().copy("none", "c")).isFalse();
    assertThat(pool.names().copyReplacing("none", "a")).isFalse();
    for (String name : List.of("", "x//y", "a", SpaceName.HINTS + "/x")) {
      assertThatIllegalArgumentException().isThrownBy(() -> pool.names().copyReplacing("a", name));
    }
    assertThatThrownBy(() -> pool.names().copy("cache", "c"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("cache");
    assertThatThrownBy(() -> pool.atomically(tx -> pool.names().copy("a", "b")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(a.get("k")).isEqualTo(1);
    assertThat(pool.names().list()).hasSize(2);
    assertThat(store.engine().list(SpaceName.HINTS + "/:copies")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void copiesManyRowsAndLargeRows(Kind kind) {
    Rockpool pool = open(kind);
    PersistentTable<Integer, Integer, String> table =
        pool.table("a", Integer.class, Integer.class, String.class);
    for (int row = 0; row < 10; row++) {
      Map<Integer, String> values = new HashMap<>();
      for (int i = 0; i < MANY / (row == 0 ? 1 : 100); i++) {
        values.put(i, "value " + i + " ".repeat(100));
      }
      table.putAll(row, values);
    }
    assertThat(pool.names().copy("a", "b")).isTrue();
    PersistentTable<Integer, Integer, String> copy =
        pool.table("b", Integer.class, Integer.class, String.class);
    for (int row = 0; row < 10; row++) {
      assertThat(copy.count(row)).isEqualTo(table.count(row));
    }
    assertThat(copy.read(0, Range.all())).isEqualTo(table.read(0, Range.all()));
    assertThat(copy.stream().count()).isEqualTo(table.stream().count());
    assertThat(pool.verify().findings()).isEmpty();
  }

  /** Scored sets with ranks have records that depend on each other, also on expired ones. */
  @ParameterizedTest
  @EnumSource
  void copiesWhatHasExpiredAndWasNotSwept(Kind kind) {
    Rockpool pool = open(kind);
    PersistentScoredSet<String> set = pool.scoredSet("a", String.class);
    for (int i = 0; i < 300; i++) {
      set.add("e" + i, i);
    }
    for (int i = 0; i < 300; i += 3) {
      set.expireAfter("e" + i, Duration.ofSeconds(1));
    }
    store.clock.advanceMillis(1_000);
    assertThat(pool.names().copy("a", "b")).isTrue();
    PersistentScoredSet<String> copy = pool.scoredSet("b", String.class);
    assertThat(copy.score("e3")).isEmpty();
    assertThat(copy.rank("e299")).isEqualTo(set.rank("e299"));
    pool.reclaim();
    assertThat(copy.rank("e299")).hasValue(199);
    assertThat(List.copyOf(copy)).isEqualTo(List.copyOf(set));
    assertThat(pool.verify().findings()).isEmpty();
  }

  /** Each transaction moves from one to the other: their sum in a copy is that of an instant. */
  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "ROCKSDB"})
  void isThatOfOneInstant(Kind kind) throws Exception {
    Rockpool pool = open(kind);
    PersistentMap<String, Long> a = map(pool, "a");
    Map<String, Long> accounts = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      accounts.put("account" + i, 10L);
    }
    a.putAll(accounts);
    AtomicBoolean ended = new AtomicBoolean();
    List<Threads.Running<Void>> running = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      running.add(
          Threads.start(
              () -> {
                for (int i = 0; !ended.get(); i++) {
                  String from = "account" + (i * 31 % 2_000);
                  String to = "account" + (i * 17 % 2_000);
                  pool.runAtomically(
                      tx -> {
                        a.increment(from, -1);
                        a.increment(to, 1);
                      });
                }
                return null;
              }));
    }
    try {
      for (int i = 0; i < 5; i++) {
        assertThat(pool.names().copyReplacing("a", "b")).isTrue();
        assertThat(map(pool, "b").reduceToLong(1, (key, value) -> value, 0, Long::sum))
            .isEqualTo(20_000);
      }
    } finally {
      ended.set(true);
    }
    for (Threads.Running<Void> each : running) {
      each.result();
    }
  }

  /** As a process that died during a copy leaves it. */
  @ParameterizedTest
  @EnumSource(names = "ROCKSDB")
  void leavesNothingIfTheProcessDies(Kind kind) {
    Rockpool pool = open(kind);
    map(pool, "a").put("k", 1L);
    Engine engine = store.engine();
    String hidden = SpaceName.HINTS + "/:copies/some";
    Space part = engine.create(new SpaceSpec(hidden, Layout.ROWS, Map.of()));
    part.transact(
        new byte[] {1},
        row -> {
          row.putCounted(new byte[] {1}, new byte[] {1}, Expiry.NEVER);
          return 1;
        });
    assertThat(pool.names().list()).hasSize(1);
    assertThat(pool.verify().findings()).isEmpty();
    store.crash();
    assertThat(store.engine().describe(hidden)).isNull();
    store.pool().reclaim();
    assertThat(store.pool().verify().findings()).isEmpty();
    assertThat(store.pool().names().copy("a", "b")).isTrue();
    assertThat(map(store.pool(), "b")).isEqualTo(Map.of("k", 1L));
  }
}

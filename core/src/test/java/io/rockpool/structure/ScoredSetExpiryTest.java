package io.rockpool.structure;

import static io.rockpool.structure.PersistentScoredSet.Added.UPDATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.ScoredSetFormat;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScoredSetExpiryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentScoredSet<String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().scoredSet("scores", String.class);
  }

  private static ScoredElement<String> scored(String element, double score) {
    return new ScoredElement<>(element, score);
  }

  private void check(PersistentScoredSet<?> set) {
    ScoredSetRecords.check(store.engine(), set);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void elementsExpire(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1, SECOND);
    set.add("b", 2, SECOND);
    set.add("c", 3, Duration.ofSeconds(2));
    set.add("d", 4);
    assertThat(set.persist("b")).isTrue();
    assertThat(set.incrementScore("c", 10)).isEqualTo(13);
    assertThat(set.add("a", 2, ScoreCondition.GREATER)).isEqualTo(UPDATED);
    assertThat(set.ttl("a")).contains(SECOND);
    assertThat(set.ttl("b")).contains(PersistentStructure.FOREVER);
    assertThat(set.rank("d")).hasValue(2);
    store.clock.advanceMillis(1_000);
    assertThat(set.ttl("a")).isEmpty();
    assertThat(set.score("a")).isEmpty();
    assertThat(set.contains("a")).isFalse();
    assertThat(set).containsExactly("b", "d", "c");
    assertThat(set.first()).contains(scored("b", 2));
    assertThat(set.rank("d")).hasValue(1);
    assertThat(set.count(Range.closed(0.0, 10.0))).isEqualTo(2);
    check(set);
    store.clock.advanceMillis(1_000);
    assertThat(set).hasSize(2);
    assertThat(set.expireAfter("d", Duration.ZERO)).isTrue();
    assertThat(set.expireAt("d", store.clock.instant().plusMillis(5))).isFalse();
    assertThat(set.expireAt("b", store.clock.instant().plusMillis(5))).isTrue();
    store.clock.advanceMillis(5);
    assertThat(set.pollFirst()).isNull();
    check(set);
    assertThat(set.add("b", 7)).isTrue();
    assertThat(set.ttl("b")).contains(PersistentStructure.FOREVER);
    assertThat(set.add("b", 7, Duration.ZERO)).isFalse();
    assertThat(set).isEmpty();
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void whatNobodyHasOpenedIsSweptToo(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1, SECOND);
    set.add("b", 2);
    store.pool().map("map", String.class, String.class).put("k", "v");
    Rockpool pool = store.reopen();
    Description before = pool.names().find("scores").orElseThrow();
    store.clock.advanceMillis(1_000);
    pool.reclaim();
    assertThat(pool.names().find("scores").orElseThrow().lastAccess())
        .isEqualTo(before.lastAccess());
    assertThat(records("scores")).isEqualTo(1);
    check(pool.scoredSet("scores", String.class));
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedSetKeepsNothingElseFromBeingReclaimed(Kind kind) {
    open(kind).add("a", 1, SECOND);
    store.pool().scoredSet("another", String.class).add("a", 1, SECOND);
    store.pool().map("map", String.class, String.class).put("k", "v", SECOND);
    byte[] row = Buckets.of(ScoredShape.of(true)).rows().get(0);
    Space damaged = Objects.requireNonNull(store.engine().open("another"));
    damaged.put(row, ScoredSetFormat.earliestKey(), new byte[] {1}, Expiry.NEVER);
    store.clock.advanceMillis(1_000);
    assertThatThrownBy(() -> store.pool().reclaim())
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("\"another\"");
    Space whole = Objects.requireNonNull(store.engine().open("scores"));
    assertThat(whole.count(row)).isZero();
    assertThat(store.pool().names().find("map").orElseThrow().count()).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void aSetIsSweptInShortSteps(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    for (int i = 0; i < 600; i++) {
      set.add("e" + i, i, SECOND);
    }
    store.pool().map("map", String.class, String.class).put("k", "v");
    List<BooleanSupplier> sweeps = ScoredSweep.all(store.engine(), new Catalog(store.engine()));
    assertThat(sweeps).hasSize(1);
    assertThat(sweeps.get(0).getAsBoolean()).isFalse();
    store.clock.advanceMillis(1_000);
    List<Long> left = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = sweeps.get(0).getAsBoolean();
      left.add(records("scores"));
    }
    assertThat(left).containsExactly(344L, 88L, 0L);
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void aTimeThatMeansNoMemberGoesAlone(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1, SECOND);
    set.add("b", 2, Duration.ofSeconds(2));
    byte[] row = Buckets.of(ScoredShape.of(true)).rows().get(0);
    Space space = Objects.requireNonNull(store.engine().open("scores"));
    long dueMillis = store.clock.millis() + 1_000;
    for (int i = 0; i < 600; i++) {
      byte[] none = ScoredSetFormat.dueKey(dueMillis, new byte[] {1, (byte) (i >> 8), (byte) i});
      space.put(row, none, new byte[0], Expiry.NEVER);
    }
    byte[] element =
        ScoredSetFormat.element(
            space.transact(
                row,
                records ->
                    records
                        .scan(ScoredSetFormat.dueAfter(dueMillis), Direction.FORWARD, 1)
                        .get(0)
                        .sortKey()));
    space.put(row, ScoredSetFormat.dueKey(dueMillis, element), new byte[0], Expiry.NEVER);
    store.clock.advanceMillis(1_000);
    assertThat(set).containsExactly("b").hasSize(1);
    check(set);
    store.clock.advanceMillis(1_000);
    assertThat(set).isEmpty();
    check(set);
  }

  private long records(String name) {
    Space space = Objects.requireNonNull(EngineUpkeep.of(store.engine()).openForUpkeep(name));
    return space.count(Buckets.of(ScoredShape.of(true)).rows().get(0));
  }

  @ParameterizedTest
  @EnumSource
  void manyExpireAtOnce(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    for (int i = 0; i < 1_000; i++) {
      set.add("e" + i, i, SECOND);
    }
    set.add("stays", 500);
    store.clock.advanceMillis(1_000);
    assertThat(set.first()).contains(scored("stays", 500));
    assertThat(set.rank("stays")).hasValue(0);
    assertThat(set).hasSize(1);
    check(set);
  }

  @ParameterizedTest
  @EnumSource
  void takesTheSetsTimeToLive(Kind kind) {
    open(kind);
    PersistentScoredSet<String> set =
        store.pool().scoredSet("short", TypeRef.of(String.class), o -> o.entryTtl(SECOND));
    set.add("a");
    set.add("b", 1);
    set.addScores(Map.of("c", 1.0));
    set.incrementScore("d", 1);
    store.clock.advanceMillis(500);
    set.add("b", 1);
    set.add("a");
    set.incrementScore("d", 1);
    store.clock.advanceMillis(500);
    assertThat(set).containsExactly("b");
  }

  @ParameterizedTest
  @EnumSource
  void expiresAsAWhole(Kind kind) {
    PersistentScoredSet<String> set = open(kind);
    set.add("a", 1);
    set.add("b", 2, Duration.ofSeconds(9));
    set.clearAfter(SECOND);
    assertThat(set.clearsIn()).contains(SECOND);
    assertThat(set.rank("b")).hasValue(1);
    store.clock.advanceMillis(1_000);
    assertThat(set).isEmpty();
    assertThat(set.count()).isZero();
    assertThat(set.rank("b")).isEmpty();
    assertThat(set.count(Range.all())).isZero();
    assertThat(set.pollLast()).isNull();
    assertThat(set.add("b", 3)).isTrue();
    assertThat(set.clearsIn()).isEmpty();
    store.clock.advanceMillis(10_000);
    assertThat(set).containsExactly("b").hasSize(1);
    check(set);
    set.clearAt(store.clock.instant().plusMillis(5));
    set.cancelClear();
    store.clock.advanceMillis(5);
    assertThat(set.first()).contains(scored("b", 3));
    set.clearAt(store.clock.instant());
    assertThat(set.first()).isEmpty();
    check(set);
  }
}

package io.rockpool.structure;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.format.BucketFormat;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentMapTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentMap<String, Long> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().map("shop/stock", String.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatWasPut(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    assertThat(map.put("a", 1L)).isNull();
    assertThat(map.put("a", 2L)).isEqualTo(1);
    assertThat(map.putIfAbsent("a", 3L)).isEqualTo(2);
    assertThat(map.putIfAbsent("b", 3L)).isNull();
    assertThat(map.remove("b")).isEqualTo(3);
    PersistentMap<String, Long> again = store.reopen().map("shop/stock", String.class, Long.class);
    assertThat(again).containsExactly(Map.entry("a", 2L)).hasSize(1);
    assertThatThrownBy(() -> map.get("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shop/stock");
  }

  @ParameterizedTest
  @EnumSource
  void computesAndMerges(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    assertThat(map.merge("a", 1L, Long::sum)).isEqualTo(1);
    assertThat(map.merge("a", 5L, Long::sum)).isEqualTo(6);
    assertThat(map.computeIfPresent("a", (k, v) -> null)).isNull();
    assertThat(map.containsKey("a")).isFalse();
    assertThat(map.computeIfAbsent("a", k -> 7L)).isEqualTo(7);
    assertThat(map.compute("a", (k, v) -> v + 1)).isEqualTo(8);
    assertThat(map.replace("a", 7L, 9L)).isFalse();
    assertThat(map.replace("a", 8L, 9L)).isTrue();
    assertThat(map.remove("a", 8L)).isFalse();
    assertThat(map.remove("a", 9L)).isTrue();
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void entriesExpire(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L, Duration.ofSeconds(1));
    map.put("b", 1L, Duration.ofSeconds(1));
    map.put("c", 1L);
    map.merge("a", 1L, Long::sum);
    assertThat(map.persist("b")).isTrue();
    assertThat(map.ttl("a")).contains(Duration.ofSeconds(1));
    assertThat(map.ttl("b")).contains(PersistentStructure.FOREVER);
    assertThat(map.expireAfter("c", Duration.ZERO)).isTrue();
    store.clock.advanceMillis(1_000);
    assertThat(map.ttl("a")).isEmpty();
    assertThat(map.keySet()).containsExactly("b");
  }

  @ParameterizedTest
  @EnumSource
  void onlyANewEntryTakesATimeToLive(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Duration second = Duration.ofSeconds(1);
    assertThat(map.putIfAbsent("a", 1L, second)).isNull();
    store.clock.advanceMillis(400);
    assertThat(map.putIfAbsent("a", 2L, second)).isEqualTo(1);
    assertThat(map.increment("a", 4, second)).isEqualTo(5);
    assertThat(map.increment("b", 4, second)).isEqualTo(4);
    assertThat(map.ttl("a")).contains(Duration.ofMillis(600));
    assertThat(map.ttl("b")).contains(second);
    store.clock.advanceMillis(600);
    assertThat(map.increment("a", 7, second)).isEqualTo(7);
    assertThat(map.putIfAbsent("c", 1L, Duration.ZERO)).isNull();
    assertThat(map.increment("d", 3, Duration.ofSeconds(-1))).isEqualTo(3);
    assertThat(map.increment("b", 3, Duration.ZERO)).isEqualTo(7);
    assertThat(map).isEqualTo(Map.of("a", 7L, "b", 7L));
  }

  @ParameterizedTest
  @EnumSource
  void putsTheEntriesOfAStream(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("7", -1L);
    map.putAllFrom(LongStream.range(0, 3_000).parallel().mapToObj(i -> Map.entry("" + i, i)));
    assertThat(map).hasSize(3_000).containsEntry("7", 7L).containsEntry("2999", 2_999L);
    map.putAllFrom(Stream.of(Map.entry("7", 8L), Map.entry("7", 9L)));
    assertThat(map.get("7")).isEqualTo(9);
    Stream<Map.Entry<String, Long>> failing =
        Stream.of("x", "y").map(key -> Map.entry(key, Long.valueOf(key)));
    assertThatThrownBy(() -> map.putAllFrom(failing)).isInstanceOf(NumberFormatException.class);
    assertThat(map).hasSize(3_000);
  }

  @ParameterizedTest
  @EnumSource
  void walksOverManyPagesWhileItChanges(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Map<String, Long> expected = new HashMap<>();
    for (long i = 0; i < 1_000; i++) {
      map.put("key-" + i, i);
      expected.put("key-" + i, i);
    }
    assertThat(map).hasSize(1_000).isEqualTo(expected);
    Iterator<Map.Entry<String, Long>> walk = map.entrySet().iterator();
    while (walk.hasNext()) {
      Map.Entry<String, Long> entry = walk.next();
      if (entry.getValue() % 2 == 0) {
        walk.remove();
      } else {
        entry.setValue(-entry.getValue());
      }
    }
    expected.values().removeIf(value -> value % 2 == 0);
    expected.replaceAll((key, value) -> -value);
    assertThat(map).isEqualTo(expected).hasSize(500);
    assertThat(map.hashCode()).isEqualTo(expected.hashCode());
  }

  @ParameterizedTest
  @EnumSource
  void worksInBatches(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Map<String, Long> all = new HashMap<>();
    for (long i = 0; i < 3_000; i++) {
      all.put("key-" + i, i);
    }
    map.putAll(all);
    map.putAll(all);
    assertThat(map).hasSize(3_000);
    assertThat(map.count()).isEqualTo(3_000);
    assertThat(map.getAll(all.keySet())).isEqualTo(all);
    assertThat(map.getAll(List.of("key-7", "none", "key-3")).keySet())
        .containsExactly("key-7", "key-3");
    assertThat(map.removeAll(all.keySet())).isEqualTo(3_000);
    assertThat(map.removeAll(all.keySet())).isZero();
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void removesInBatchesThroughViews(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    PersistentMap<String, Long> others = store.pool().map("others", String.class, Long.class);
    Map<String, Long> model = new HashMap<>();
    for (long i = 0; i < 3_000; i++) {
      model.put("key-" + i, i);
    }
    map.putAll(model);
    Map<String, Long> removed = new HashMap<>();
    Registration listening = map.addListener((key, before, after) -> removed.put(key, before));
    for (Map<String, Long> each : List.of(map, model)) {
      assertThat(each.values().removeIf(value -> value % 2 == 0)).isTrue();
      assertThat(each.values().removeIf(value -> value % 2 == 0)).isFalse();
      assertThat(each.keySet().removeIf(key -> key.endsWith("7"))).isTrue();
      assertThat(each.entrySet().removeIf(e -> e.getKey().equals("key-" + 9))).isTrue();
      assertThat(each.values().removeAll(Set.of(1L, 2L))).isTrue();
      assertThat(each.values().retainAll(Set.of())).isTrue();
    }
    assertThat(map).isEmpty();
    assertThat(removed).hasSize(3_000).containsEntry("key-5", 5L);
    listening.close();
    model = new HashMap<>(removed);
    map.putAll(model);
    others.putAll(removed);
    others.remove("key-1");
    for (Map<String, Long> each : List.of(map, model)) {
      assertThat(each.entrySet().removeAll(List.of(Map.entry("key-2", 2L), Map.entry("key-3", 0))))
          .isTrue();
      Set<Map.Entry<String, Long>> half =
          removed.entrySet().stream().filter(e -> e.getValue() >= 1_500).collect(toSet());
      assertThat(each.entrySet().retainAll(half)).isTrue();
      assertThat(each).hasSize(1_500);
      assertThat(each.entrySet().removeAll(removed.entrySet())).isTrue();
      assertThat(each).isEmpty();
    }
    map.putAll(removed);
    assertThat(map.keySet().retainAll(others.keySet())).isTrue();
    assertThat(map.keySet().retainAll(others.keySet())).isFalse();
    assertThat(map).isEqualTo(others).hasSize(2_999);
    assertThat(map.keySet().removeAll(Set.of("key-2", "none", 3))).isTrue();
    assertThat(map.keySet().removeAll(Set.of("key-2"))).isFalse();
    assertThat(map.keySet().retainAll(Set.of("key-4", "none", 3))).isTrue();
    assertThat(map).containsOnlyKeys("key-4");
  }

  @ParameterizedTest
  @EnumSource
  void keepsAnEntryThatChangesAfterItsTest(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.putAll(Map.of("a", 1L, "b", 2L));
    assertThat(
            map.values()
                .removeIf(
                    value -> {
                      map.put("a", 5L);
                      return value < 5;
                    }))
        .isTrue();
    assertThat(map).isEqualTo(Map.of("a", 5L));
    PersistentMap<String, List<Long>> lists =
        store.pool().map("lists", TypeRef.of(String.class), new TypeRef<List<Long>>() {});
    lists.put("a", List.of(1L));
    List<Long> one =
        new AbstractList<>() {
          @Override
          public Long get(int index) {
            lists.put("a", List.of(5L)); // while it is compared
            return 1L;
          }

          @Override
          public int size() {
            return 1;
          }
        };
    assertThat(lists.values().remove(one)).isFalse();
    assertThat(lists).isEqualTo(Map.of("a", List.of(5L)));
    lists.put("b", List.of(1L));
    assertThat(lists.values().remove(List.of(1L))).isTrue();
    assertThat(lists).isEqualTo(Map.of("a", List.of(5L)));
  }

  @ParameterizedTest
  @EnumSource
  void increments(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L, Duration.ofSeconds(1));
    assertThat(map.increment("a", 5)).isEqualTo(6);
    assertThat(map.increment("b", -5)).isEqualTo(-5);
    map.put("c", Long.MAX_VALUE);
    assertThatThrownBy(() -> map.increment("c", 1)).isInstanceOf(ArithmeticException.class);
    assertThat(map.get("c")).isEqualTo(Long.MAX_VALUE);
    store.clock.advanceMillis(1_000);
    assertThat(map.increment("a", 1)).isEqualTo(1);
    PersistentMap<String, Integer> small = store.pool().map("i", String.class, Integer.class);
    assertThat(small.increment("a", 3)).isEqualTo(3);
    PersistentMap<String, Boolean> other = store.pool().map("s", String.class, Boolean.class);
    assertThatThrownBy(() -> other.increment("a", 3))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("merge");
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameObjectUnderOneName(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Rockpool pool = store.pool();
    assertThat(pool.map("shop/stock", String.class, Long.class)).isSameAs(map);
    StructureOptions others = StructureOptions.defaults().entryTtl(Duration.ofDays(1));
    assertThatThrownBy(
            () ->
                pool.map(
                    "shop/stock", TypeRef.of(String.class), TypeRef.of(Long.class), o -> others))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("other options");
  }

  @ParameterizedTest
  @EnumSource
  void tellsListenersAfterTheChange(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    List<String> told = new ArrayList<>();
    Registration bad =
        map.addListener(
            (key, before, after) -> {
              throw new IllegalArgumentException("thrown on purpose");
            });
    Registration registration =
        map.addListener((key, before, after) -> told.add(key + " " + before + " " + after));
    map.put("a", 1L);
    map.replace("b", 1L);
    map.merge("a", 1L, Long::sum);
    map.remove("a");
    map.remove("a");
    registration.close();
    bad.close();
    map.put("a", 1L);
    assertThat(told).containsExactly("a null 1", "a 1 2", "a 2 null");
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotDoesNotChange(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L, Duration.ofSeconds(1));
    map.put("b", 2L);
    try (Snapshot<Map<String, Long>> snapshot = map.snapshot()) {
      map.put("a", 3L);
      map.clear();
      map.put("c", 4L);
      store.clock.advanceMillis(2_000);
      assertThat(snapshot.view()).isEqualTo(Map.of("a", 1L, "b", 2L)).hasSize(2);
      assertThat(snapshot.view().get("a")).isEqualTo(1);
      assertThatThrownBy(() -> snapshot.view().put("d", 1L))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> snapshot.view().entrySet().iterator().next().setValue(1L))
          .isInstanceOf(UnsupportedOperationException.class);
      snapshot.close();
      assertThatThrownBy(() -> snapshot.view().get("a")).isInstanceOf(IllegalStateException.class);
    }
    assertThat(map).containsExactly(Map.entry("c", 4L));
  }

  @ParameterizedTest
  @EnumSource
  void putsManyThatExpire(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L);
    map.put("z", 26L);
    map.putAll(Map.of("a", 2L, "b", 3L), Duration.ofSeconds(1));
    assertThat(map.ttl("a")).contains(Duration.ofSeconds(1));
    assertThat(map).isEqualTo(Map.of("a", 2L, "b", 3L, "z", 26L));
    map.putAll(Map.of("b", 4L), Duration.ZERO);
    assertThat(map).isEqualTo(Map.of("a", 2L, "z", 26L));
    store.clock.advanceMillis(1_000);
    assertThat(map).isEqualTo(Map.of("z", 26L));
  }

  @ParameterizedTest
  @EnumSource
  void expiresAsAWhole(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L);
    assertThat(map.clearsIn()).isEmpty();
    map.clearAfter(Duration.ofSeconds(1));
    assertThat(map.clearsIn()).contains(Duration.ofSeconds(1));
    assertThat(store.pool().names().find("shop/stock").orElseThrow().expires())
        .contains(store.clock.instant().plusSeconds(1));
    map.cancelClear();
    store.clock.advanceMillis(1_000);
    assertThat(map).hasSize(1);
    map.clearAt(store.clock.instant().plusSeconds(1));
    store.clock.advanceMillis(1_000);
    assertThat(map).isEmpty();
    map.put("b", 1L);
    store.clock.advanceMillis(10_000);
    assertThat(map).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void refusesNullsByName(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    assertThatNullPointerException().isThrownBy(() -> map.get(null)).withMessage("key");
    assertThatNullPointerException().isThrownBy(() -> map.put(null, 1L)).withMessage("key");
    assertThatNullPointerException().isThrownBy(() -> map.put("a", null)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> map.put("a", 1L, null)).withMessage("ttl");
    assertThatNullPointerException()
        .isThrownBy(() -> map.merge("a", 1L, null))
        .withMessage("function");
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("CollectionIncompatibleType") // on purpose
  void hasNoKeyOfAnotherClass(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("1", 1L);
    assertThat(map.get(1)).isNull();
    assertThat(map.containsKey(1L)).isFalse();
    assertThat(map.remove(1)).isNull();
    assertThat(map.remove("1", "1")).isFalse();
    assertThat(map.entrySet().contains(Map.entry(1, 1L))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void namesTheMapWhereAValueCannotBeDecoded(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("good", 1L);
    breakEntry("bad");
    assertThatThrownBy(() -> map.get("bad"))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("shop/stock")
        .hasMessageContaining("key bad:");
    assertThat(map.containsKey("bad")).isTrue();
    assertThat(map.keySet()).containsExactlyInAnyOrder("good", "bad");
    Iterator<Long> values = map.values().iterator();
    List<Object> seen = new ArrayList<>();
    while (values.hasNext()) {
      try {
        seen.add(values.next());
      } catch (UndecodableValueException e) {
        seen.add("undecodable");
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(1L, "undecodable");
    for (ThrowingCallable change :
        List.<ThrowingCallable>of(
            () -> map.put("bad", 3L),
            () -> map.replace("bad", 3L),
            () -> map.remove("bad"),
            () -> map.putIfAbsent("bad", 3L))) {
      assertThatThrownBy(change).isInstanceOf(UndecodableValueException.class);
      assertThatThrownBy(() -> map.get("bad")).isInstanceOf(UndecodableValueException.class);
    }
    assertThat(map.removeAll(List.of("bad"))).isEqualTo(1);
    breakEntry("bad");
    map.putAll(Map.of("bad", 2L));
    assertThat(map.get("bad")).isEqualTo(2);
  }

  /** Gives a key a value of another codec, as a map of other values would. */
  private void breakEntry(String key) {
    Space space = Objects.requireNonNull(store.engine().open("shop/stock"));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] row = BucketFormat.hashKey(BucketFormat.bucketOf(bytes, 16));
    space.<Object>transact(
        row,
        transaction -> {
          transaction.putCounted(bytes, new byte[] {1, 'x'}, Expiry.NEVER);
          return "done";
        });
  }

  @ParameterizedTest
  @EnumSource
  void takesPartInTransactions(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    PersistentMap<String, String> other = store.pool().map("other", String.class, String.class);
    map.put("a", 1L);
    List<String> told = new ArrayList<>();
    map.addListener((key, before, after) -> told.add(key + " " + before + " " + after));
    assertThatThrownBy(
            () ->
                store
                    .engine()
                    .atomically(
                        () -> {
                          map.put("a", 2L);
                          other.put("x", "y");
                          throw new IllegalArgumentException("thrown on purpose");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(map.get("a")).isEqualTo(1);
    assertThat(other).isEmpty();
    assertThat(told).isEmpty();
    Map<String, Long> seen =
        store
            .engine()
            .atomically(
                () -> {
                  map.merge("a", 1L, Long::sum);
                  map.put("b", 1L);
                  other.put("x", "y");
                  return new HashMap<>(map);
                });
    assertThat(seen).isEqualTo(Map.of("a", 2L, "b", 1L)).isEqualTo(map);
    assertThat(other).containsEntry("x", "y");
    assertThat(told).containsExactly("a 1 2", "b null 1");
  }

  @ParameterizedTest
  @EnumSource
  void endsWhatWasOpenWhenItsNameIsTakenOver(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    Rockpool pool = store.pool();
    map.put("a", 1L);
    assertThatThrownBy(() -> pool.set("shop/stock", String.class))
        .isInstanceOf(NameConflictException.class)
        .hasMessageContaining("shop/stock");
    StructureOptions reset =
        StructureOptions.defaults().onConflict(StructureOptions.OnConflict.RESET);
    PersistentSet<String> set = pool.set("shop/stock", TypeRef.of(String.class), o -> reset);
    assertThat(set).isEmpty();
    assertThat(map.isClosed()).isTrue();
    assertThatThrownBy(() -> map.put("a", 1L))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was reset");
    assertThat(pool.names().find("shop/stock").orElseThrow().resets()).isEqualTo(1);
    assertThat(pool.names().drop("shop/stock")).isTrue();
    assertThatThrownBy(() -> set.add("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was dropped");
    assertThat(pool.map("shop/stock", String.class, Long.class)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void endsACacheWhoseNameItTakesOver(Kind kind) {
    open(kind);
    PersistentCache<String, String> cache = store.pool().cache("c", String.class, String.class);
    cache.put("a", "b");
    StructureOptions reset =
        StructureOptions.defaults().onConflict(StructureOptions.OnConflict.RESET);
    store.pool().value("c", TypeRef.of(String.class), o -> reset);
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aWalkEndsWithItsMap(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    for (long i = 0; i < 100; i++) {
      map.put("key-" + i, i);
    }
    Iterator<String> cleared = map.keySet().iterator();
    cleared.next();
    map.clear();
    map.put("key-0", 1L);
    cleared.forEachRemaining(key -> assertThat(key).startsWith("key-"));
    Iterator<String> dropped = map.keySet().iterator();
    store.pool().names().drop("shop/stock");
    assertThatThrownBy(dropped::next).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void asksForNoNull(Kind kind) {
    PersistentMap<String, Long> map = open(kind);
    map.put("a", 1L);
    for (Map<String, Long> some :
        List.<Map<String, Long>>of(
            map, store.pool().sortedMap("sorted", String.class, Long.class))) {
      assertThatThrownBy(() -> some.containsValue(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("value");
      assertThatThrownBy(() -> some.containsKey(null)).isInstanceOf(NullPointerException.class);
    }
    assertThat(map.containsValue(1L)).isTrue();
    assertThat(map.containsValue(2L)).isFalse();
  }
}

package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentSortedMapTest {
  @TempDir Path directory;
  private StoreUnderTest store;

  record Place(String street, int number) {}

  private PersistentSortedMap<Long, String> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().sortedMap("log", Long.class, String.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsOrderOverAReopen(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    List.of(5L, -1L, 300L, Long.MIN_VALUE).forEach(key -> map.put(key, "at " + key));
    PersistentSortedMap<Long, String> again =
        store.reopen().sortedMap("log", Long.class, String.class);
    assertThat(again.keySet()).containsExactly(Long.MIN_VALUE, -1L, 5L, 300L);
    assertThat(again.descendingMap().values())
        .containsExactly("at 300", "at 5", "at -1", "at " + Long.MIN_VALUE);
    assertThatThrownBy(map::firstKey).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void liesInOneRowInTheOrderOfItsKeys(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    map.put(1L, "a");
    map.put(-1L, "a");
    List<String> records = new ArrayList<>();
    try (Cursor cursor = store.engine().open("log").scanAll()) {
      while (cursor.next()) {
        records.add(
            hex(cursor.hashKey()) + " " + hex(cursor.sortKey()) + " " + hex(cursor.value()));
      }
    }
    assertThat(records).containsExactly("00 7fffffffffffffff 0161", "00 8000000000000001 0161");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @ParameterizedTest
  @EnumSource
  void hasAComparatorOnlyWhereItsOrderIsNotTheNaturalOne(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    assertThat(map.comparator()).isNull();
    assertThat(map.descendingMap().comparator()).isEqualTo(Collections.reverseOrder());
    assertThat(map.keySet().spliterator().hasCharacteristics(Spliterator.SORTED)).isTrue();
    PersistentSortedMap<BigDecimal, String> decimals =
        store.pool().sortedMap("decimals", BigDecimal.class, String.class);
    decimals.put(new BigDecimal("1.00"), "b");
    decimals.put(new BigDecimal("1.0"), "a");
    assertThat(decimals.values()).containsExactly("a", "b");
    assertThat(new TreeMap<>(decimals)).hasSize(2);
    assertThat(
            decimals.descendingMap().comparator().compare(decimals.firstKey(), decimals.lastKey()))
        .isPositive();
    PersistentSortedMap<Place, Long> places =
        store.pool().sortedMap("places", Place.class, Long.class);
    places.put(new Place("b", 1), 1L);
    places.put(new Place("a", 10), 2L);
    places.put(new Place("a", 9), 3L);
    assertThat(places.values()).containsExactly(3L, 2L, 1L);
    assertThat(places.headMap(new Place("b", 0))).hasSize(2);
    assertThat(new TreeMap<>(places)).isEqualTo(places);
  }

  @ParameterizedTest
  @EnumSource
  void refusesKeysWithoutOrder(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.pool().sortedMap("lists", List.class, String.class))
        .withMessageContaining("ordered codec");
    Object text = "text";
    assertThatThrownBy(() -> map.get(text))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> map.containsKey(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.floorKey(null)).isInstanceOf(NullPointerException.class);
    assertThat(map.equals(Map.of(text, text))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void refusesWhatLiesOutsideOfAView(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    ConcurrentNavigableMap<Long, String> view = map.subMap(10L, true, 20L, false).descendingMap();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> view.put(20L, "x"))
        .withMessageContaining("log")
        .withMessageEndingWith(": 20");
    assertThat(view.computeIfAbsent(20L, key -> null)).isNull();
    assertThat(view.compute(20L, (key, value) -> value)).isNull();
    assertThatIllegalArgumentException().isThrownBy(() -> view.computeIfAbsent(20L, key -> "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.headMap(5L));
    assertThatIllegalArgumentException().isThrownBy(() -> map.subMap(20L, 10L));
    assertThat(view.put(10L, "x")).isNull();
    assertThat(view.remove(30L)).isNull();
    assertThat(map).containsExactly(Map.entry(10L, "x"));
  }

  @ParameterizedTest
  @EnumSource
  void removesARangeInSeveralTransactions(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    Map<Long, String> all = new TreeMap<>();
    LongStream.range(0, 1_000).forEach(key -> all.put(key, "v" + key));
    map.putAll(all);
    List<Long> told = new ArrayList<>();
    try (Registration registration = map.addListener((key, before, after) -> told.add(key))) {
      assertThat(map.removeRange(Range.openClosed(100L, 300L))).isEqualTo(200);
    }
    assertThat(told).containsExactlyElementsOf(LongStream.rangeClosed(101, 300).boxed().toList());
    map.tailMap(500L).clear();
    assertThat(map).hasSize(300);
    assertThat(map.lastKey()).isEqualTo(499);
    assertThat(map.higherKey(100L)).isEqualTo(301);
  }

  @ParameterizedTest
  @EnumSource
  void readsPageByPage(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    LongStream.range(0, 25).forEach(key -> map.put(key, "v" + key));
    List<Long> seen = new ArrayList<>();
    List<Map.Entry<Long, String>> page = map.read(Range.atMost(21L).reversed().limit(10));
    while (!page.isEmpty()) {
      page.forEach(entry -> seen.add(entry.getKey()));
      page = map.read(Range.lessThan(seen.get(seen.size() - 1)).reversed().limit(10));
    }
    assertThat(seen).hasSize(22).startsWith(21L, 20L).endsWith(1L, 0L);
    assertThat(map.read(Range.closedOpen(3L, 5L)))
        .containsExactly(Map.entry(3L, "v3"), Map.entry(4L, "v4"));
    assertThat(map.read(Range.<Long>all().limit(0))).isEmpty();
    assertThat(map.read(Range.openClosed(3L, 9L).offset(4).limit(7)))
        .containsExactly(Map.entry(8L, "v8"), Map.entry(9L, "v9"));
    assertThat(map.read(Range.open(3L, 6L).reversed()))
        .containsExactly(Map.entry(5L, "v5"), Map.entry(4L, "v4"));
    assertThat(map.read(Range.atLeast(24L))).containsExactly(Map.entry(24L, "v24"));
    assertThat(map.read(Range.greaterThan(24L))).isEmpty();
    assertThat(map.read(Range.open(5L, 5L))).isEmpty();
    assertThat(map.read(Range.<Long>all().offset(Long.MAX_VALUE))).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> map.read(Range.closed(5L, 4L)));
    assertThatIllegalArgumentException().isThrownBy(() -> Range.all().limit(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Range.all().offset(-1));
  }

  @ParameterizedTest
  @EnumSource
  void showsASnapshot(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    map.put(1L, "a");
    map.put(2L, "b");
    try (Snapshot<NavigableMap<Long, String>> snapshot = map.snapshot()) {
      map.clear();
      NavigableMap<Long, String> view = snapshot.view();
      assertThat(view.tailMap(2L, true)).containsExactly(Map.entry(2L, "b"));
      assertThat(view.firstEntry()).isEqualTo(Map.entry(1L, "a"));
      assertThatThrownBy(view::pollFirstEntry).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void takesPartInTransactions(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    map.put(1L, "a");
    store
        .pool()
        .atomically(
            tx -> {
              map.put(2L, "b");
              assertThat(map.pollFirstEntry()).isEqualTo(Map.entry(1L, "a"));
              assertThat(map.tailMap(0L).keySet()).containsExactly(2L);
              for (Map<Long, String> whole : List.of(map, map.descendingMap())) {
                assertThatIllegalStateException().isThrownBy(() -> whole.keySet().clear());
              }
              map.tailMap(0L).clear();
              map.put(3L, "c");
              return null;
            });
    assertThat(map).containsExactly(Map.entry(3L, "c"));
  }

  @ParameterizedTest
  @EnumSource
  void givesEachEntryToOneThread(Kind kind) throws Exception {
    PersistentSortedMap<Long, String> map = open(kind);
    LongStream.range(0, 400).forEach(key -> map.put(key, "v"));
    Set<Long> taken = ConcurrentHashMap.newKeySet();
    Threads.run(
        4,
        thread -> {
          NavigableMap<Long, String> view = thread % 2 == 0 ? map : map.descendingMap();
          Map.Entry<Long, String> first = view.pollFirstEntry();
          while (first != null) {
            assertThat(taken.add(first.getKey())).isTrue();
            first = view.pollFirstEntry();
          }
        });
    assertThat(taken).hasSize(400);
    assertThat(map).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void namesTheLimitOfAKey(Kind kind) {
    open(kind);
    PersistentSortedMap<String, Long> map =
        store.pool().sortedMap("texts", TypeRef.of(String.class), TypeRef.of(Long.class));
    String longest = "x".repeat(store.engine().limits().maxSortKeyBytes());
    map.put(longest, 1L);
    assertThat(map.higherKey(longest)).isNull();
    assertThat(map.headMap(longest, true)).hasSize(1);
    assertThatThrownBy(() -> map.put(longest + "x", 1L)).isInstanceOf(LimitExceededException.class);
    // A bound is no key: each engine takes those of the contract.
    String bound = "x".repeat(Limits.MAX_SORT_KEY_BYTES);
    assertThat(map.headMap(bound, true)).containsOnlyKeys(longest);
    assertThat(map.tailMap(bound, false)).isEmpty();
    assertThatThrownBy(() -> map.tailMap(bound + "x")).isInstanceOf(LimitExceededException.class);
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatItCannotDecode(Kind kind) {
    PersistentSortedMap<Long, String> map = open(kind);
    map.put(2L, "good");
    HexFormat hex = HexFormat.of();
    store
        .engine()
        .open("log")
        .<Object>transact(
            hex.parseHex("00"),
            row -> {
              row.putCounted(hex.parseHex("8000000000000001"), hex.parseHex("7f00"), Expiry.NEVER);
              return "done";
            });
    assertThat(map.firstKey()).isEqualTo(1);
    assertThatThrownBy(map::firstEntry)
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("log")
        .hasMessageContaining("key \\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x01:");
    assertThatThrownBy(map::pollFirstEntry).isInstanceOf(UndecodableValueException.class);
    assertThat(map.keySet()).containsExactly(1L, 2L);
    assertThat(map.lastEntry()).isEqualTo(Map.entry(2L, "good"));
    assertThat(map.removeRange(Range.closed(0L, 1L))).isEqualTo(1);
    assertThat(map).containsExactly(Map.entry(2L, "good"));
  }
}

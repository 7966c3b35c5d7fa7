package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Description;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.LimitExceededException;
import io.rockpool.error.NameConflictException;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentTableTest {
  /** The sort key of a record that is put with every change of its row. */
  private static final Long VERSION = 0L;

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentTable<String, Long, Long> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().table("visits", String.class, Long.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void filtersOfATableAddUp(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    PersistentTable<String, String, String> table =
        store.pool().table("words", String.class, String.class, String.class);
    List<String> keys = List.of("ab", "aba", "abb", "b", "bab");
    keys.forEach(row -> keys.forEach(key -> table.put(row, key, "v")));
    TableFilter<String, String> rows =
        TableFilter.<String, String>all()
            .hashKeyStartingWith("a")
            .hashKeyContaining("b")
            .hashKeyEndingWith("a");
    assertThat(table.keys(rows).map(TableKey::hashKey).distinct()).containsExactly("aba");
    assertThat(table.keys(rows.sortKeyContaining("ba").sortKeyStartingWith("b")))
        .containsExactly(new TableKey<>("aba", "bab"));
    assertThat(table.keys(rows.sortKeyEndingWith("b").sortKeyContaining("aa"))).isEmpty();
    assertThat(table.removeRange("ab", Range.prefix("a").endingWith("b"))).isEqualTo(2);
    assertThat(table.row("ab").keySet()).containsExactly("aba", "b", "bab");
  }

  @ParameterizedTest
  @EnumSource
  void keepsRowsApart(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.put("a", 1L, 10L);
    table.put("b", -1L, 20L);
    table.putAll("a", Map.of(-5L, 1L, 7L, 2L));
    PersistentTable<String, Long, Long> again =
        store.reopen().table("visits", String.class, Long.class, Long.class);
    assertThat(again.read("a", Range.all()))
        .containsExactly(Map.entry(-5L, 1L), Map.entry(1L, 10L), Map.entry(7L, 2L));
    assertThat(again.count("a")).isEqualTo(3);
    assertThat(again.getAll("a", List.of(7L, 8L, 1L))).isEqualTo(Map.of(7L, 2L, 1L, 10L));
    assertThat(again.removeRow("a")).isEqualTo(3);
    assertThat(again.stream()).containsExactly(new TableRecord<>("b", -1L, 20L));
    assertThatThrownBy(() -> table.get("a", 1L)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.pool().map("visits", String.class, Long.class))
        .hasMessageContaining("table");
  }

  @ParameterizedTest
  @EnumSource
  void changesARowWhenACheckPasses(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    assertThat(table.when("a", 1L, Check.absent()).put(2L, 5L))
        .isEqualTo(new CheckResult<>(true, null));
    assertThat(table.when("a", 2L, Check.lessThan(5L)).put(2L, 6L))
        .isEqualTo(new CheckResult<>(false, 5L));
    Mutations<Long, Long> mutations =
        new Mutations<Long, Long>().put(3L, 3L, Duration.ofSeconds(1)).remove(2L).put(4L, 4L);
    assertThat(table.when("a", 2L, Check.numberAtLeast(5)).mutate(mutations).passed()).isTrue();
    assertThat(table.row("a")).isEqualTo(Map.of(3L, 3L, 4L, 4L));
    store.clock.advanceMillis(1_000);
    assertThat(table.row("a")).isEqualTo(Map.of(4L, 4L));
    assertThat(table.when("a", 1L, Check.present()).putAll(Map.of(7L, 7L)).passed()).isFalse();
    assertThat(table.when("a", 1L, Check.absent()).putAll(Map.of(7L, 7L, 8L, 8L)).passed())
        .isTrue();
    assertThat(table.removeAll("a", List.of(7L, 8L))).isEqualTo(2);
    ConditionalRow<Long, Long> whenFour = table.when("a", 4L, Check.equalTo(4L));
    assertThat(table.row("a")).isEqualTo(Map.of(4L, 4L));
    assertThat(whenFour.put(5L, 5L, Duration.ofSeconds(1))).isEqualTo(new CheckResult<>(true, 4L));
    assertThat(table.ttl("a", 5L)).contains(Duration.ofSeconds(1));
    assertThat(whenFour.remove(5L)).isEqualTo(new CheckResult<>(true, 4L));
    assertThat(whenFour.remove(5L).passed()).isTrue();
    assertThat(whenFour.put(4L, 6L)).isEqualTo(new CheckResult<>(true, 4L));
    assertThat(whenFour.remove(4L)).isEqualTo(new CheckResult<>(false, 6L));
    assertThat(table.row("a")).isEqualTo(Map.of(4L, 6L));
    assertThatThrownBy(() -> table.when("a", 4L, Check.startsWith(4L)).put(4L, 1L))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("java.lang.Long");
  }

  @ParameterizedTest
  @EnumSource
  void comparesBytesAsUnsigned(Kind kind) {
    open(kind);
    PersistentTable<String, byte[], byte[]> table =
        store.pool().table("raw", String.class, byte[].class, byte[].class);
    byte[] key = {1};
    table.put("a", key, new byte[] {(byte) 0x80});
    assertThat(passes(table, key, Check.greaterThan(new byte[] {0x7F}))).isTrue();
    assertThat(passes(table, key, Check.equalTo(new byte[] {(byte) 0x80}))).isTrue();
    assertThat(passes(table, key, Check.atMost(new byte[] {0x7F}))).isFalse();
    assertThat(passes(table, key, Check.notEmpty())).isTrue();
    table.put("a", key, "-42".getBytes(StandardCharsets.US_ASCII));
    assertThat(passes(table, key, Check.numberEqualTo(-42))).isTrue();
    PersistentTable<String, String, String> text =
        store.pool().table("text", String.class, String.class, String.class);
    text.put("a", "b", "٤٢"); // 42 in digits of another script
    assertThatThrownBy(() -> text.when("a", "b", Check.numberEqualTo(42)).mutate(new Mutations<>()))
        .isInstanceOf(NumberFormatException.class);
    assertThat(table.sortKeys("a", Range.<byte[]>all().startingWith(key))).hasSize(1);
  }

  private static boolean passes(
      PersistentTable<String, byte[], byte[]> table, byte[] key, Check<byte[]> check) {
    return table.when("a", key, check).mutate(new Mutations<>()).passed();
  }

  @ParameterizedTest
  @EnumSource
  void incrementsAndExpires(Kind kind) {
    PersistentTable<String, Long, Long> plain = open(kind);
    assertThat(plain.increment("a", 1L, 5)).isEqualTo(5);
    assertThat(plain.ttl("a", 1L)).contains(PersistentStructure.FOREVER);
    PersistentTable<String, Long, Long> table =
        store
            .pool()
            .table(
                "expiring",
                TypeRef.of(String.class),
                TypeRef.of(Long.class),
                TypeRef.of(Long.class),
                o -> o.entryTtl(Duration.ofSeconds(1)));
    table.put("a", 1L, 1L);
    store.clock.advanceMillis(400);
    assertThat(table.increment("a", 1L, 2)).isEqualTo(3);
    assertThat(table.ttl("a", 1L)).contains(Duration.ofMillis(600));
    table.putAll("a", Map.of(2L, 2L), Duration.ofSeconds(5));
    store.clock.advanceMillis(600);
    assertThat(table.row("a")).isEqualTo(Map.of(2L, 2L));
    assertThat(table.persist("a", 2L)).isTrue();
    assertThat(table.expireAfter("a", 3L, Duration.ofSeconds(5))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void showsARowAsALiveMap(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    ConcurrentNavigableMap<Long, Long> row = table.row("a");
    LongStream.range(0, 100).forEach(key -> row.put(key, -key));
    table.put("b", 1L, 1L);
    assertThat(table.get("a", 99L)).isEqualTo(-99);
    assertThat(row.pollFirstEntry()).isEqualTo(Map.entry(0L, 0L));
    assertThat(row.headMap(50L).size()).isEqualTo(49);
    row.tailMap(20L).clear();
    assertThat(table.count("a")).isEqualTo(19);
    row.clear();
    assertThat(table.stream()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void listsItsRows(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    assertThat(table.rowKeys()).isEmpty();
    Set<String> rows = new TreeSet<>();
    for (int i = 0; i < 40; i++) {
      String row = "row-" + i;
      Map<Long, Long> values = new TreeMap<>();
      LongStream.range(0, i % 10 == 0 ? 600 : i % 3 + 1).forEach(key -> values.put(key, key));
      table.putAll(row, values);
      rows.add(row);
    }
    assertThat(table.rowKeys()).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(table.rowKeys().stream()).hasSize(40);
    assertThat(table.rowKeys().contains("row-10")).isTrue();
    assertThat(table.rowKeys().contains("row-40")).isFalse();
    assertThat(table.containsRow("row-10")).isTrue();
    assertThatThrownBy(() -> table.rowKeys().remove("row-10"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(table.removeRow("row-10")).isEqualTo(600);
    assertThat(table.containsRow("row-10")).isFalse();
    assertThat(table.rowKeys()).hasSize(39).doesNotContain("row-10");
    assertThat(table.removeRange("row-20", Range.<Long>all().reversed().limit(599))).isEqualTo(599);
    assertThat(table.row("row-20")).isEqualTo(Map.of(0L, 0L));
    assertThat(table.rowKeys()).contains("row-20");
    assertThatThrownBy(() -> store.pool().atomically(tx -> table.rowKeys().size()))
        .isInstanceOf(IllegalStateException.class);
  }

  /** A page ends inside a row, and all its records expire after it was read. */
  @ParameterizedTest
  @EnumSource
  void listsARowWhoseFirstRecordsExpireMeanwhile(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    Set<String> all = Set.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    for (String row : all) {
      Map<Long, Long> ending = new TreeMap<>();
      LongStream.range(0, 40).forEach(key -> ending.put(key, key));
      table.putAll(row, ending, Duration.ofSeconds(1));
      table.put(row, 40L, 40L);
    }
    Iterator<String> walk = table.rowKeys().iterator();
    Set<String> rows = new TreeSet<>(List.of(walk.next(), walk.next()));
    store.clock.advanceMillis(1_000);
    walk.forEachRemaining(rows::add);
    assertThat(rows).isEqualTo(all);
  }

  @ParameterizedTest
  @EnumSource
  void filtersTextsAlone(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    assertThatThrownBy(() -> table.read("a", Range.<Long>all().startingWith(1L)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("visits");
    assertThatThrownBy(() -> table.stream(TableFilter.<String, Long>all().sortKeyContaining(1L)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("visits");
    PersistentTable<Long, Long, Long> numbered =
        store.pool().table("numbered", Long.class, Long.class, Long.class);
    assertThatThrownBy(() -> numbered.keys(TableFilter.<Long, Long>all().hashKeyEndingWith(1L)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("numbered");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.removeRange("a", Range.<Long>all().offset(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> table.streams(0));
  }

  /** As in Pegasus, where every range that ends before it begins is empty. */
  @ParameterizedTest
  @EnumSource
  void findsNothingInARangeThatEndsBeforeItBegins(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.putAll("a", Map.of(1L, 1L, 2L, 2L, 3L, 3L));
    Range<Long> backwards = Range.closed(3L, 1L);
    for (Range<Long> range : List.of(backwards, backwards.reversed(), backwards.limit(1))) {
      assertThat(table.read("a", range)).isEmpty();
      assertThat(table.sortKeys("a", range)).isEmpty();
      assertThat(table.fetch("a", range, 9)).isEqualTo(new Fetched<>(List.of(), true));
      assertThat(table.removeRange("a", range)).isZero();
    }
    assertThat(table.count("a")).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void fetchesARowAtomically(Kind kind) throws Exception {
    PersistentTable<String, Long, Long> table = open(kind);
    Map<Long, Long> zeros = new TreeMap<>();
    LongStream.range(0, 300).forEach(key -> zeros.put(key, 0L));
    table.putAll("a", zeros);
    Threads.Running<Void> writing =
        Threads.start(
            () -> {
              for (long value = 1; value <= 50; value++) {
                Map<Long, Long> values = new TreeMap<>(zeros);
                long each = value;
                values.replaceAll((key, old) -> each);
                table.putAll("a", values);
              }
              return null;
            });
    long last = 0;
    while (last < 50) {
      Fetched<Long, Long> all = table.fetch("a", Range.all(), Long.MAX_VALUE);
      assertThat(all.entries()).hasSize(300);
      assertThat(all.entries().stream().map(Map.Entry::getValue).distinct()).hasSize(1);
      last = all.entries().get(0).getValue();
      List<Long> some = List.of(0L, 150L, 299L);
      assertThat(
              table.fetch("a", some, 1 << 10).entries().stream()
                  .map(Map.Entry::getValue)
                  .distinct())
          .hasSize(1);
    }
    writing.result();
  }

  @ParameterizedTest
  @EnumSource
  void removesByFilterInManyTransactions(Kind kind) {
    open(kind);
    PersistentTable<String, String, Long> files =
        store.pool().table("files", String.class, String.class, Long.class);
    Map<String, Long> values = new TreeMap<>();
    LongStream.range(0, 500).forEach(i -> values.put(i + (i % 5 == 0 ? ".tmp" : ".txt"), i));
    files.putAll("a", values);
    Range<String> temporary = Range.<String>all().endingWith(".tmp");
    assertThat(files.removeRange("a", temporary.limit(3))).isEqualTo(3);
    assertThat(files.removeRange("a", temporary.reversed().limit(70))).isEqualTo(70);
    assertThat(files.removeRange("a", temporary)).isEqualTo(27);
    assertThat(files.count("a")).isEqualTo(400);
    assertThat(files.sortKeys("a", temporary)).isEmpty();
    Fetched<String, Long> fetched = files.fetch("a", Range.<String>all().limit(399), 1 << 20);
    assertThat(fetched.entries()).hasSize(399);
    assertThat(fetched.allFetched()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void sharesOutAScan(Kind kind) throws Exception {
    PersistentTable<String, Long, Long> table = open(kind);
    for (int i = 0; i < 20; i++) {
      String row = "row-" + i;
      Map<Long, Long> values = new TreeMap<>();
      LongStream.range(0, 50).forEach(key -> values.put(key, key));
      table.putAll(row, values);
    }
    List<Stream<TableRecord<String, Long, Long>>> streams = table.streams(4);
    Set<TableRecord<String, Long, Long>> seen = ConcurrentHashMap.newKeySet();
    Threads.run(
        3, thread -> streams.get(thread).forEach(each -> assertThat(seen.add(each)).isTrue()));
    assertThat(seen).hasSize(1_000);
    assertThat(streams.get(3)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void tellsListeners(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.put("a", 1L, 1L);
    List<String> told = new ArrayList<>();
    Registration registration =
        table.addListener((row, key, before, after) -> told.add(row + key + before + after));
    table.mutate("a", new Mutations<Long, Long>().put(1L, 2L).remove(9L).put(2L, 3L));
    table.row("a").remove(2L);
    table.removeRow("a");
    table.removeRow("a");
    registration.close();
    table.put("a", 1L, 1L);
    assertThat(told).containsExactly("a112", "a2null3", "a23null", "a12null");
  }

  @ParameterizedTest
  @EnumSource
  void showsASnapshot(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.put("a", 1L, 1L);
    LongStream.range(0, 600).forEach(key -> table.put("b", key, key));
    try (Snapshot<TableView<String, Long, Long>> snapshot = table.snapshot()) {
      table.mutate("a", new Mutations<Long, Long>().put(1L, 2L).remove(9L).put(2L, 3L));
      assertThat(table.removeRow("b")).isEqualTo(600);
      assertThat(table.rowKeys()).containsExactly("a");
      TableView<String, Long, Long> view = snapshot.view();
      assertThat(view.row("a")).isEqualTo(Map.of(1L, 1L));
      assertThat(view.stream()).hasSize(601).contains(new TableRecord<>("a", 1L, 1L));
      assertThat(view.rowKeys()).containsExactlyInAnyOrder("a", "b");
      assertThat(view.containsRow("b")).isTrue();
      assertThatThrownBy(() -> view.row("a").put(1L, 1L))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void changesRowsTogetherInATransaction(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.put("a", 1L, 10L);
    store
        .pool()
        .atomically(
            tx -> {
              table.increment("a", 1L, -4);
              table.increment("b", 1L, 4);
              assertThat(table.when("b", 1L, Check.equalTo(4L)).put(2L, 1L).passed()).isTrue();
              assertThat(table.row("b")).isEqualTo(Map.of(1L, 4L, 2L, 1L));
              assertThatIllegalStateException()
                  .isThrownBy(() -> table.streams(2).get(0).findFirst())
                  .withMessageContaining("transaction");
              table.put("c", 1L, 1L);
              table.row("c").clear();
              assertThat(table.count("c")).isZero();
              return null;
            });
    assertThat(table.get("a", 1L)).isEqualTo(6);
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          table.removeRow("a");
                          throw new IllegalArgumentException("not so");
                        }))
        .hasMessage("not so");
    assertThat(table.count("a")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void refusesNullsAndKeysThatAreTooLong(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    assertThatThrownBy(() -> table.put(null, 1L, 1L))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("hashKey");
    assertThatThrownBy(() -> table.get("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> table.put("a", 1L, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("value");
    assertThatThrownBy(() -> table.putAll("a", Collections.singletonMap(1L, null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Check.lessThan(null)).isInstanceOf(NullPointerException.class);
    String longest = "x".repeat(store.engine().limits().maxHashKeyBytes());
    table.put(longest, 1L, 1L);
    assertThat(table.stream()).containsExactly(new TableRecord<>(longest, 1L, 1L));
    assertThatThrownBy(() -> table.put(longest + "x", 1L, 1L))
        .isInstanceOf(LimitExceededException.class);
    assertThatThrownBy(() -> table.row(longest + "x").firstEntry())
        .isInstanceOf(LimitExceededException.class);
  }

  @ParameterizedTest
  @EnumSource
  void changesARowAtOnceForAllThreads(Kind kind) throws Exception {
    PersistentTable<String, Long, Long> table = open(kind);
    int moves = 50;
    table.putAll("a", Map.of(VERSION, 0L, 1L, 1_000L, 2L, 0L));
    Threads.run(
        4,
        thread -> {
          for (int made = 0; made < moves; ) {
            Map<Long, Long> row = table.getAll("a", List.of(VERSION, 1L, 2L));
            Mutations<Long, Long> move =
                new Mutations<Long, Long>()
                    .put(VERSION, row.get(VERSION) + 1)
                    .put(1L, row.get(1L) - 1)
                    .put(2L, row.get(2L) + 1);
            if (table.when("a", VERSION, Check.equalTo(row.get(VERSION))).mutate(move).passed()) {
              made++;
            }
            table.increment("b", 1L, 1);
          }
        });
    assertThat(table.row("a")).isEqualTo(Map.of(VERSION, 200L, 1L, 800L, 2L, 200L));
    assertThat(table.get("b", 1L)).isGreaterThanOrEqualTo(4L * moves);
  }

  @ParameterizedTest
  @EnumSource
  void isDescribedAndOpenedAsWhatItIs(Kind kind) {
    PersistentTable<String, Long, Long> table = open(kind);
    table.clearAfter(Duration.ofSeconds(9));
    Description description = store.pool().names().find("visits").orElseThrow();
    assertThat(description.type()).isEqualTo("table");
    assertThat(description.keyType()).isEqualTo("java.lang.String/java.lang.Long");
    assertThat(description.valueType()).contains("java.lang.Long");
    assertThat(description.expires()).contains(store.clock.instant().plusSeconds(9));
    assertThat(store.pool().table("visits", String.class, Long.class, Long.class)).isSameAs(table);
    assertThatThrownBy(() -> store.pool().table("visits", Long.class, Long.class, Long.class))
        .isInstanceOf(NameConflictException.class)
        .hasMessageContaining("visits");
    assertThat(store.pool().names().drop("visits")).isTrue();
    assertThatThrownBy(() -> table.get("a", 1L)).isInstanceOf(IllegalStateException.class);
  }
}

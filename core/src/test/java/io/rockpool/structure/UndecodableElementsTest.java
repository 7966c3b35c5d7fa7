package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.store.Registration;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.SourceLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deques and tables with an element whose class is gone: all others are there as before. */
class UndecodableElementsTest {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);

  @TempDir Path directory;
  private StoreUnderTest store;
  private Object gone;
  private StructureOptions withClass;

  private void open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    SourceLoader loader =
        new SourceLoader(
            "public record Main(int n) { public static Object make() { return new Main(1); } }");
    gone = loader.make();
    Codecs codecs = Codecs.builder().classLoader(loader).allow(loader.main()).build();
    withClass = StructureOptions.defaults().codecs(codecs);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** A deque of these elements, opened where the class is not. */
  private PersistentDeque<Object> deque(Object... elements) {
    store.pool().deque("d", ANY, o -> withClass).clear();
    store.pool().deque("d", ANY, o -> withClass).addAll(List.of(elements));
    store.reopen();
    return store.pool().deque("d", Object.class);
  }

  private PersistentTable<String, String, Object> table() {
    store.reopen();
    PersistentTable<String, String, Object> table =
        store.pool().table("t", TEXT, TEXT, ANY, o -> withClass);
    table.putAll("row", Map.of("a", "A", "b", gone, "c", "C"));
    table.put("other", "a", "A");
    store.reopen();
    return store.pool().table("t", String.class, String.class, Object.class);
  }

  private static void assertUndecodable(String name, String key, ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOfSatisfying(
            UndecodableValueException.class,
            e -> {
              assertThat(e.name()).contains(name);
              assertThat(e).hasMessageContaining("key " + e.key().orElseThrow() + ":");
            })
        .hasMessageContaining('"' + name + '"')
        .hasMessageContaining(key)
        .hasMessageContaining("app.Main");
  }

  /** What an iterator shows, going on after it threw. */
  private static List<Object> seen(Iterator<?> walk) {
    List<Object> seen = new ArrayList<>();
    while (true) {
      try {
        if (!walk.hasNext()) { // That of a stream's throws here.
          return seen;
        }
        seen.add(walk.next());
      } catch (UndecodableValueException e) {
        seen.add("?");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void positionsCountAnElementWithoutItsClass(Kind kind) {
    open(kind);
    PersistentDeque<Object> deque = deque("a", gone, "b", "b");
    assertThat(deque.indexOf("b")).isEqualTo(2);
    assertThat(deque.indicesOf("b", LAST, 1, 5)).containsExactly(3L, 2L);
    assertThat(deque.range(-2, 4)).containsExactly("b", "b");
    assertThatThrownBy(() -> deque.range(0, 2)).isInstanceOf(UndecodableValueException.class);
    assertThat(deque.removeOccurrences("b", LAST, 1)).isEqualTo(1);
    assertThat(deque).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void atAnEndOfADequeStaysThere(Kind kind) {
    open(kind);
    PersistentDeque<Object> deque = deque(gone, "b", "c");
    PersistentDeque<Object> target = store.pool().deque("target", Object.class);
    List<Object> drained = new ArrayList<>();
    for (ThrowingCallable operation :
        List.<ThrowingCallable>of(
            deque::peekFirst,
            deque::element,
            deque::getFirst,
            deque::pollFirst,
            deque::removeFirst,
            deque::takeFirst,
            () -> deque.pollFirst(1, TimeUnit.DAYS),
            () -> deque.pollFirst(3),
            () -> deque.drainTo(drained),
            () -> deque.moveFirstTo(target, LAST),
            () -> deque.get(0),
            () -> deque.set(0, "new"),
            () -> deque.removeIf("c"::equals),
            deque::toArray)) {
      assertUndecodable("d", "key ", operation);
      assertThat(seen(deque.iterator())).containsExactly("?", "b", "c");
    }
    assertThat(drained).isEmpty();
    assertThat(target).isEmpty();
    assertThatThrownBy(deque::pollFirst).hasMessageContaining("remove()");
    assertThatThrownBy(() -> deque.pollFirst(3)).hasMessageContaining("remove()");
    assertThatThrownBy(deque::peekFirst).hasMessageContaining("remove()");
    assertThat(deque).hasSize(3);
    assertThat(deque.peekLast()).isEqualTo("c");
    assertThat(deque.pollLast(5)).containsExactly("c", "b");
    assertThat(deque.trim(1, 1)).isEqualTo(1);
    assertThat(deque).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void inTheMidstOfADequeIsPassedOver(Kind kind) {
    open(kind);
    PersistentDeque<Object> deque = deque("a", gone, "c");
    assertThat(seen(deque.iterator())).containsExactly("a", "?", "c");
    assertThat(seen(deque.descendingIterator())).containsExactly("c", "?", "a");
    assertThat(deque.contains("c")).isTrue();
    assertThat(deque.contains("x")).isFalse();
    assertThat(deque.insertBefore("c", "b")).isTrue();
    assertThat(deque.get(2)).isEqualTo("b");
    deque.insert(1, "a2");
    assertThat(deque.set(3, "b2")).isEqualTo("b");
    assertThat(deque.removeFirstOccurrence("a2")).isTrue();
    assertThat(deque.removeLastOccurrence("x")).isFalse();
    assertThat(seen(deque.iterator())).containsExactly("a", "?", "b2", "c");
    assertUndecodable("d", "key ", () -> deque.get(1));
    assertThat(deque.pollFirst(9)).containsExactly("a");
    assertThat(deque.pollLast(1)).containsExactly("c");
    assertThat(seen(deque.iterator())).containsExactly("?", "b2");
    Iterator<Object> walk = deque.iterator();
    assertUndecodable("d", "key ", walk::next);
    walk.remove();
    assertThat(deque).containsExactly("b2");
  }

  @ParameterizedTest
  @EnumSource
  void inASnapshotIsPassedOver(Kind kind) {
    open(kind);
    PersistentDeque<Object> deque = deque("a", gone, "b", "c");
    try (Snapshot<List<Object>> snapshot = deque.snapshot()) {
      assertThat(seen(snapshot.view().iterator())).containsExactly("a", "?", "b", "c");
      assertThat(snapshot.view().get(2)).isEqualTo("b");
      assertUndecodable("d", "key ", () -> snapshot.view().get(1));
    }
    try (Snapshot<TableView<String, String, Object>> snapshot = table().snapshot()) {
      assertUndecodable("t", "key b", () -> snapshot.view().get("row", "b"));
      assertThat(snapshot.view().get("row", "c")).isEqualTo("C");
      assertThat(seen(snapshot.view().stream().iterator())).hasSize(4).contains("?");
    }
  }

  @ParameterizedTest
  @EnumSource
  void inATableIsKeptByWhatWouldReturnIt(Kind kind) {
    open(kind);
    PersistentTable<String, String, Object> table = table();
    NavigableMap<String, Object> row = table.row("row");
    Check<Object> equalsX = Check.equalTo("x");
    for (ThrowingCallable operation :
        List.<ThrowingCallable>of(
            () -> table.get("row", "b"),
            () -> table.getAll("row", List.of("a", "b")),
            () -> table.read("row", Range.all()),
            () -> table.increment("row", "b", 1),
            () -> table.when("row", "b", equalsX).put("b", "new"),
            () -> table.when("row", "b", equalsX).put("a", "new"),
            () -> table.stream().forEach(record -> {}),
            () -> row.get("b"),
            () -> row.put("b", "new"),
            () -> row.putIfAbsent("b", "new"),
            () -> row.replace("b", "new"),
            () -> row.replace("b", "old", "new"),
            () -> row.remove("b"),
            () -> row.remove("b", "x"),
            () -> row.merge("b", "x", (old, x) -> "new"),
            () -> row.compute("b", (key, old) -> "new"),
            () -> row.computeIfAbsent("b", key -> "new"),
            () -> row.ceilingEntry("b"),
            () -> row.containsValue("x"))) {
      assertUndecodable("t", "key b", operation);
      assertThat(seen(row.values().iterator())).containsExactly("A", "?", "C");
    }
    NavigableMap<String, Object> fromB = row.tailMap("b", true);
    assertUndecodable("t", "key b", fromB::firstEntry);
    assertUndecodable("t", "key b", fromB::pollFirstEntry);
    assertThat(seen(fromB.values().iterator())).containsExactly("?", "C");
  }

  @ParameterizedTest
  @EnumSource
  void inATableLeavesAllElseReachable(Kind kind) {
    open(kind);
    PersistentTable<String, String, Object> table = table();
    assertThat(table.contains("row", "b")).isTrue();
    assertThat(table.ttl("row", "b")).isEqualTo(Optional.of(PersistentStructure.FOREVER));
    assertThat(table.sortKeys("row", Range.all())).containsExactly("a", "b", "c");
    assertThat(table.count("row")).isEqualTo(3);
    assertThat(table.getAll("row", List.of("a", "c"))).isEqualTo(Map.of("a", "A", "c", "C"));
    assertThat(table.row("row").keySet()).containsExactly("a", "b", "c");
    assertThat(table.row("row").lastEntry()).isEqualTo(Map.entry("c", "C"));
    assertThat(table.when("row", "a", Check.equalTo("A")).put("d", "D").passed()).isTrue();
    assertThat(table.expireAfter("row", "b", Duration.ofDays(1))).isTrue();
    assertThat(table.persist("row", "b")).isTrue();
    assertThat(seen(table.row("row").values().iterator())).containsExactly("A", "?", "C", "D");
    assertThat(seen(table.stream().iterator())).hasSize(5).contains("?");
  }

  @ParameterizedTest
  @EnumSource
  void inATableIsReplacedAndRemovedBlindly(Kind kind) {
    open(kind);
    PersistentTable<String, String, Object> table = table();
    List<Object> told = new ArrayList<>();
    TableListener<String, String, Object> listener =
        (row, key, before, after) -> told.add(row + key + before + after);
    try (Registration registration = table.addListener(listener)) {
      table.put("row", "b", "B");
    }
    assertThat(told).containsExactly("rowbnullB");
    assertThat(table.get("row", "b")).isEqualTo("B");
    assertThat(table().remove("row", "b")).isTrue();
    assertThat(table().mutate("row", new Mutations<String, Object>().remove("b"))).isEqualTo(1);
    assertThat(table().removeAll("row", List.of("a", "b"))).isEqualTo(2);
    PersistentTable<String, String, Object> again = table();
    assertThat(again.removeRow("row")).isEqualTo(3);
    assertThat(again.get("other", "a")).isEqualTo("A");
  }
}

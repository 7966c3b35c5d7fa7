package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.StoreClosedException;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link PersistentStructure} promises, of each of them. */
@Slow
class EveryStructureTest {
  private static final String NAME = "level/name";

  /** More than one page of a walk. */
  private static final int MANY = 1_000;

  @TempDir Path directory;
  private StoreUnderTest store;

  /** A structure of any type: how it is opened, changed and read. */
  enum Type {
    MAP("map") {
      @Override
      Opened open(Rockpool pool) {
        PersistentMap<Integer, String> map = pool.map(NAME, Integer.class, String.class);
        return new Opened(map, i -> map.put(i, "v" + i), () -> map.keySet().iterator(), MANY);
      }
    },
    SORTED_MAP("sorted map") {
      @Override
      Opened open(Rockpool pool) {
        PersistentSortedMap<Integer, String> map =
            pool.sortedMap(NAME, Integer.class, String.class);
        return new Opened(
            map, i -> map.put(i, "v" + i), () -> map.tailMap(0).values().iterator(), MANY);
      }
    },
    SET("set") {
      @Override
      Opened open(Rockpool pool) {
        PersistentSet<Integer> set = pool.set(NAME, Integer.class);
        return new Opened(set, set::add, set::iterator, MANY);
      }
    },
    SORTED_SET("sorted set") {
      @Override
      Opened open(Rockpool pool) {
        PersistentSortedSet<Integer> set = pool.sortedSet(NAME, Integer.class);
        return new Opened(set, set::add, () -> set.descendingSet().iterator(), MANY);
      }
    },
    SCORED_SET("scored set") {
      @Override
      Opened open(Rockpool pool) {
        PersistentScoredSet<Integer> set = pool.scoredSet(NAME, Integer.class);
        return new Opened(set, i -> set.add(i, i), set::iterator, MANY);
      }
    },
    DEQUE("deque") {
      @Override
      Opened open(Rockpool pool) {
        PersistentDeque<Integer> deque = pool.deque(NAME, Integer.class);
        return new Opened(deque, deque::add, deque::iterator, MANY);
      }
    },
    TABLE("table") {
      @Override
      Opened open(Rockpool pool) {
        PersistentTable<Integer, Integer, String> table =
            pool.table(NAME, Integer.class, Integer.class, String.class);
        return new Opened(
            table, i -> table.put(i % 10, i, "v" + i), () -> table.stream().iterator(), MANY);
      }
    },
    VALUE("value") {
      @Override
      Opened open(Rockpool pool) {
        PersistentValue<Integer> value = pool.value(NAME, Integer.class);
        return new Opened(value, value::set, () -> Stream.ofNullable(value.get()).iterator(), 1);
      }
    },
    COUNTER("counter") {
      @Override
      Opened open(Rockpool pool) {
        PersistentCounter counter = pool.counter(NAME);
        return new Opened(
            counter,
            i -> counter.incrementAndGet(),
            () -> Stream.of(counter.get()).filter(n -> n > 0).iterator(),
            1);
      }
    };

    private final String named;

    Type(String named) {
      this.named = named;
    }

    abstract Opened open(Rockpool pool);
  }

  /** Puts the element of a number. */
  private interface Putter {
    void put(int number);
  }

  /** Walks over the elements. */
  private interface Walker {
    Iterator<?> iterator();
  }

  /** An open structure; {@code most} is how many elements it has after many were put. */
  private record Opened(PersistentStructure structure, Putter putter, Walker elements, int most) {
    void putMany() {
      for (int i = 0; i < MANY; i++) {
        putter.put(i);
      }
    }

    List<Object> all() {
      List<Object> all = new ArrayList<>();
      elements.iterator().forEachRemaining(all::add);
      return all;
    }

    boolean isEmpty() {
      return !elements.iterator().hasNext();
    }
  }

  static Stream<Arguments> all() {
    return Stream.of(Type.values())
        .flatMap(
            type -> Stream.of(Kind.MEMORY, Kind.ROCKSDB).map(kind -> Arguments.of(type, kind)));
  }

  private Opened open(Type type, Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return type.open(store.pool());
  }

  private Description description() {
    return store.pool().names().find(NAME).orElseThrow();
  }

  private Instant now() {
    return store.clock.instant();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void isDescribed(Type type, Kind kind) {
    Opened opened = open(type, kind);
    Instant created = now();
    opened.putMany();
    assertThat(description())
        .returns(NAME, Description::name)
        .returns(List.of("level", "name"), Description::levels)
        .returns(type.named, Description::type)
        .returns(created, Description::created)
        .returns(created, Description::lastAccess)
        .returns(0L, Description::resets);
    assertThat(description().expires()).isEmpty();
    assertThat(description().count()).isEqualTo(count(type, opened.most()));
    assertThat(store.pool().names().list("level"))
        .extracting(Description::toString)
        .containsExactly(description().toString());
    assertThat(store.pool().<OptionalLong>atomically(transaction -> description().count()))
        .isEmpty();
    assertThat(store.pool().<Optional<Instant>>atomically(transaction -> description().expires()))
        .isEmpty();
    store.clock.advanceMillis(1_000);
    type.open(store.reopen());
    assertThat(description())
        .returns(created, Description::created)
        .returns(now(), Description::lastAccess);
  }

  @ParameterizedTest
  @MethodSource("all")
  void endsAsAWhole(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    assertThat(opened.structure().clearsIn()).isEmpty();
    opened.structure().clearAfter(Duration.ofSeconds(2));
    assertThat(description().expires()).contains(now().plusSeconds(2));
    opened.structure().cancelClear();
    assertThat(description().expires()).isEmpty();
    assertThat(opened.structure().clearsIn()).isEmpty();
    opened.structure().clearAt(now().plusSeconds(1));
    assertThat(opened.structure().clearsIn()).contains(Duration.ofSeconds(1));
    assertThat(opened.isEmpty()).isFalse();
    store.clock.advanceMillis(1_000);
    assertThat(description().expires()).isEmpty();
    assertThat(description().count()).isEqualTo(count(type, 0));
    assertThat(store.pool().names().find(NAME).isPresent()).isTrue();
    assertThat(opened.isEmpty()).isTrue();
    opened.putter().put(1);
    assertThat(opened.isEmpty()).isFalse();
    assertThat(opened.structure().clearsIn()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void showsItsEndBeforeItIsOpened(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putter().put(1);
    opened.structure().clearAfter(Duration.ofSeconds(2));
    Description before = description();
    store.reopen();
    assertThat(description())
        .returns(before.lastAccess(), Description::lastAccess)
        .returns(before.expires(), Description::expires);
    assertThat(before.expires()).contains(now().plusSeconds(2));
    store.clock.advanceMillis(2_000);
    assertThat(description().expires()).isEmpty();
  }

  private static OptionalLong count(Type type, int count) {
    return type == Type.TABLE ? OptionalLong.empty() : OptionalLong.of(count);
  }

  @ParameterizedTest
  @MethodSource("all")
  void isRenamed(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    List<Object> before = opened.all();
    assertThat(store.pool().names().rename(NAME, "other/name")).isTrue();
    assertThat(opened.structure().isClosed()).isTrue();
    assertThatThrownBy(() -> opened.putter().put(1))
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("other/name");
    assertThat(store.pool().names().find(NAME).isPresent()).isFalse();
    assertThat(store.pool().names().find("other/name").orElseThrow().type()).isEqualTo(type.named);
    store.crash();
    assertThat(store.pool().names().rename("other/name", NAME)).isTrue();
    Opened again = type.open(store.pool());
    assertThat(again.all()).isEqualTo(before);
    again.putter().put(MANY);
    store.pool().reclaim();
    assertThat(again.all()).isNotEqualTo(before);
    assertThat(store.pool().verify().findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void isClearedOnAConditionOnItsExpiry(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putter().put(1);
    PersistentStructure structure = opened.structure();
    Duration one = Duration.ofSeconds(1);
    Duration two = Duration.ofSeconds(2);
    assertThat(structure.clearAfter(one, ExpiryCondition.PRESENT)).isFalse();
    assertThat(structure.clearAfter(one, ExpiryCondition.LATER)).isFalse();
    assertThat(structure.clearsIn()).isEmpty();
    assertThat(structure.clearAfter(two, ExpiryCondition.ABSENT)).isTrue();
    assertThat(structure.clearAfter(one, ExpiryCondition.ABSENT)).isFalse();
    assertThat(structure.clearAfter(one, ExpiryCondition.LATER)).isFalse();
    assertThat(structure.clearAt(now().plusSeconds(3), ExpiryCondition.EARLIER)).isFalse();
    assertThat(structure.clearsIn()).contains(two);
    assertThat(structure.clearAfter(one, ExpiryCondition.EARLIER)).isTrue();
    assertThat(structure.clearAt(now().plusSeconds(2), ExpiryCondition.LATER)).isTrue();
    assertThat(structure.clearAfter(one, ExpiryCondition.PRESENT)).isTrue();
    assertThat(structure.clearsIn()).contains(one);
    assertThat(structure.clearAt(now(), ExpiryCondition.LATER)).isFalse();
    assertThat(opened.isEmpty()).isFalse();
    store.clock.advanceMillis(1_000);
    assertThat(opened.isEmpty()).isTrue();
    opened.putter().put(2);
    assertThat(structure.clearAfter(two, ExpiryCondition.PRESENT)).isFalse();
    assertThat(structure.clearAt(now(), ExpiryCondition.EARLIER)).isTrue();
    assertThat(opened.isEmpty()).isTrue();
    if (opened.most() > 1) {
      assertRefusedInATransaction(() -> structure.clearAfter(one, ExpiryCondition.ALWAYS));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void isCopied(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    List<Object> before = opened.all();
    assertThat(store.pool().names().copy(NAME, "copy")).isTrue();
    opened.putter().put(MANY);
    assertThat(opened.all()).isNotEqualTo(before);
    assertThat(store.pool().names().list()).hasSize(2);
    Description copy = store.pool().names().find("copy").orElseThrow();
    assertThat(copy.type()).isEqualTo(type.named);
    store.pool().reclaim();
    assertThat(store.pool().verify().findings()).isEmpty();
    store.crash();
    assertThat(store.pool().names().renameReplacing("copy", NAME)).isTrue();
    Opened again = type.open(store.pool());
    assertThat(again.all()).isEqualTo(before);
    assertThat(description().count()).isEqualTo(count(type, again.most()));
    again.putter().put(MANY);
    assertThat(again.all()).isNotEqualTo(before);
    assertThat(store.pool().verify().findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void joinsATransaction(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putter().put(1);
    List<Object> before = opened.all();
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          opened.putter().put(2);
                          if (type != Type.TABLE) {
                            assertThat(opened.all()).isNotEqualTo(before);
                          }
                          throw new IllegalArgumentException("on purpose");
                        }))
        .hasMessage("on purpose");
    assertThat(opened.all()).isEqualTo(before);
    if (type == Type.TABLE) {
      assertRefusedInATransaction(opened::all);
      assertRefusedInATransaction(((PersistentTable<?, ?, ?>) opened.structure())::isEmpty);
    }
    assertThat(opened.all()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("all")
  void isNotClearedAsAWholeInATransaction(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putter().put(1);
    PersistentStructure structure = opened.structure();
    if (opened.most() == 1) {
      store
          .pool()
          .atomically(
              tx -> {
                structure.clearAt(now().plusSeconds(1));
                structure.cancelClear();
                structure.clearAfter(Duration.ofSeconds(2));
                assertThat(structure.clearsIn()).contains(Duration.ofSeconds(2));
                structure.clear();
                return null;
              });
      assertThat(opened.isEmpty()).isTrue();
      return;
    }
    assertRefusedInATransaction(structure::clear);
    assertRefusedInATransaction(() -> structure.clearAt(now()));
    assertRefusedInATransaction(() -> structure.clearAfter(Duration.ofSeconds(1)));
    assertRefusedInATransaction(structure::cancelClear);
    assertRefusedInATransaction(() -> snapshotOf(structure).close());
    assertThat(store.pool().<Optional<Duration>>atomically(tx -> structure.clearsIn())).isEmpty();
    assertThat(opened.isEmpty()).isFalse();
  }

  private static Snapshot<?> snapshotOf(PersistentStructure structure) {
    if (structure instanceof PersistentMap<?, ?> map) {
      return map.snapshot();
    }
    if (structure instanceof PersistentSortedMap<?, ?> map) {
      return map.snapshot();
    }
    if (structure instanceof PersistentSet<?> set) {
      return set.snapshot();
    }
    if (structure instanceof PersistentSortedSet<?> set) {
      return set.snapshot();
    }
    if (structure instanceof PersistentScoredSet<?> set) {
      return set.snapshot();
    }
    return structure instanceof PersistentDeque<?> deque
        ? deque.snapshot()
        : ((PersistentTable<?, ?, ?>) structure).snapshot();
  }

  private void assertRefusedInATransaction(Runnable operation) {
    assertThatThrownBy(
            () ->
                store
                    .pool()
                    .atomically(
                        tx -> {
                          operation.run();
                          return null;
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("transaction");
  }

  @ParameterizedTest
  @MethodSource("all")
  void isClearedWhileItIsWalkedOver(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    Iterator<?> walk = opened.elements().iterator();
    walk.next();
    opened.structure().clear();
    assertThat(opened.isEmpty()).isTrue();
    assertThat(opened.structure().isClosed()).isFalse();
    int shown = 1;
    while (walk.hasNext()) {
      walk.next();
      shown++;
    }
    assertThat(shown).as("what had been read ahead").isLessThanOrEqualTo(opened.most());
    opened.putter().put(1);
    assertThat(opened.isEmpty()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void freesItsNameForAnotherType(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    Iterator<?> walk = opened.elements().iterator();
    assertThat(store.pool().names().drop(NAME)).isTrue();
    assertIsClosed(opened, walk);
    Type other = type == Type.DEQUE ? Type.SET : Type.DEQUE;
    assertThat(other.open(store.pool()).isEmpty()).isTrue();
    assertThat(description())
        .returns(other.named, Description::type)
        .returns(0L, Description::resets);
  }

  @ParameterizedTest
  @MethodSource("all")
  void isResetToAnotherTypeIfAskedFor(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    Iterator<?> walk = opened.elements().iterator();
    StructureOptions reset =
        StructureOptions.defaults().onConflict(StructureOptions.OnConflict.RESET);
    TypeRef<Long> longs = TypeRef.of(Long.class);
    PersistentSet<Long> other = store.pool().set(NAME, longs, o -> reset);
    assertThat(other).isEmpty();
    assertIsClosed(opened, walk);
    assertThat(description()).returns("set", Description::type).returns(1L, Description::resets);
  }

  @ParameterizedTest
  @MethodSource("all")
  void endsWithItsStore(Type type, Kind kind) {
    Opened opened = open(type, kind);
    opened.putMany();
    Iterator<?> walk = opened.elements().iterator();
    store.close();
    assertIsClosed(opened, walk);
    assertThat(type.open(store.reopen()).isEmpty()).isFalse();
  }

  /** It says so by its name, whatever is asked for, and its walks end at their next page. */
  private static void assertIsClosed(Opened opened, Iterator<?> walk) {
    assertThat(opened.structure().isClosed()).isTrue();
    assertThat(opened.structure().name()).isEqualTo(NAME);
    assertThatThrownBy(() -> opened.putter().put(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(NAME);
    assertThatThrownBy(opened::isEmpty)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(NAME);
    assertThatThrownBy(opened.structure()::clear).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(opened.structure()::clearsIn).isInstanceOf(IllegalStateException.class);
    if (opened.most() > 1) {
      assertThatThrownBy(() -> walk.forEachRemaining(element -> {}))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}

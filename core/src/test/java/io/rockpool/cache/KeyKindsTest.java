package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.KeyKinds.Kind;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.Fallback;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keys of every kind in every use: found by another instance that is equal, here, after a reopen
 * and in another process, whatever its JVM's flags, or refused by name when they are first put.
 */
@Slow
final class KeyKindsTest {
  private static final Class<Object> ANY = Object.class;
  private static final Class<String> TEXT = String.class;

  @TempDir Path directory;

  /** With the hot tier and without. */
  private static Stream<PersistentCache<Object, String>> caches(Rockpool pool) {
    return Stream.of(10_000, 0).map(hot -> pool.cache("hot-" + hot, ANY, TEXT, o -> options(hot)));
  }

  private static CacheOptions<Object, String> options(int hot) {
    return CacheOptions.<Object, String>defaults().hotEntries(hot);
  }

  private static Rockpool open(Path directory, Fallback fallback) {
    return Rockpool.at(directory)
        .codecs(Codecs.builder().fallback(fallback).allow(KeyKinds.SpecialEntity.class).build())
        .open();
  }

  @ParameterizedTest
  @EnumSource
  void everyUseFindsAnEqualKey(Fallback fallback) throws Exception {
    List<Kind> kinds = kinds(fallback);
    try (Rockpool pool = open(directory, fallback)) {
      caches(pool).forEach(cache -> kinds.forEach(kind -> use(cache, kind)));
      caches(pool).forEach(cache -> assertHolds(cache, kinds));
    }
    try (Rockpool pool = open(directory, fallback)) {
      caches(pool).forEach(cache -> assertHolds(cache, kinds));
    }
    assertFoundBy(fallback, "all", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=0");
    assertFoundBy(fallback, "serializable", "-XX:-CompactStrings");
  }

  private void assertFoundBy(Fallback fallback, String which, String... flags) throws Exception {
    try (Child child = Child.start(Reader.class, List.of(flags), directory, fallback, which)) {
      assertThat(child.readLine()).as("%s", List.of(flags)).isEqualTo("all are there");
    }
  }

  /** In another process. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) {
      Fallback fallback = Fallback.valueOf(args[1]);
      boolean all = args[2].equals("all");
      List<Kind> kinds = kinds(all ? fallback : Fallback.JAVA_SERIALIZATION);
      try (Rockpool pool = open(Path.of(args[0]), fallback)) {
        caches(pool).forEach(cache -> assertHolds(cache, kinds));
        if (!all && fallback == Fallback.FORY) { // no key is missed in silence
          PersistentCache<Object, String> cache = caches(pool).toList().get(0);
          assertThatThrownBy(() -> cache.get(new KeyKinds.Entity(1, "a")))
              .isInstanceOf(UnencodableValueException.class)
              .hasMessageContaining("KeyKinds$Entity")
              .hasMessageContaining("-XX:-CompactStrings");
        }
        System.out.println("all are there");
      } catch (Throwable e) {
        System.out.println(e.toString().replace('\n', ' '));
      }
    }
  }

  /** Without what the JDK's serialization cannot write. */
  private static List<Kind> kinds(Fallback fallback) {
    return KeyKinds.HELD.stream()
        .filter(kind -> fallback == Fallback.FORY || isSerializable(kind.name()))
        .toList();
  }

  private static boolean isSerializable(String kind) {
    return !Set.of(
            "an optional int",
            "an array list of a record",
            "a record's own equals",
            "a record's own equals, with an enum",
            "an id alone",
            "a subclass",
            "one hash for all",
            "foreign ones within others")
        .contains(kind);
  }

  private static void use(PersistentCache<Object, String> cache, Kind kind) {
    Supplier<Object> equal = kind.equal();
    cache.put(kind.first().get(), "1");
    assertThat(cache.get(equal.get())).as("%s", kind).isEqualTo("1");
    assertThat(cache.containsKey(equal.get())).as("%s", kind).isTrue();
    assertThat(cache.get(kind.other().get())).as("%s", kind).isNull();
    assertThat(cache.getAll(List.of(equal.get(), kind.other().get())).values())
        .as("%s", kind)
        .containsExactly("1");
    assertThat(cache.putIfAbsent(equal.get(), "2")).as("%s", kind).isEqualTo("1");
    assertThat(cache.replace(equal.get(), "1", "2")).as("%s", kind).isTrue();
    assertThat(cache.compute(kind.first().get(), (key, value) -> value + "3"))
        .as("%s", kind)
        .isEqualTo("23");
    assertThat(cache.get(equal.get(), key -> "loaded")).as("%s", kind).isEqualTo("23");
    assertThat(cache.remove(equal.get())).as("%s", kind).isTrue();
    assertThat(cache.get(kind.first().get())).as("%s", kind).isNull();
    assertThat(cache.get(equal.get(), key -> "loaded")).as("%s", kind).isEqualTo("loaded");
    assertThat(cache.getAndRemove(kind.first().get())).as("%s", kind).isEqualTo("loaded");
    cache.put(kind.other().get(), "other");
    cache.putAll(Map.of(kind.first().get(), "first"));
  }

  private static void assertHolds(PersistentCache<Object, String> cache, List<Kind> kinds) {
    for (Kind kind : kinds) {
      assertThat(cache.get(kind.equal().get())).as("%s", kind).isEqualTo("first");
      assertThat(cache.get(kind.other().get())).as("%s", kind).isEqualTo("other");
    }
    List<Object> seen = new ArrayList<>();
    cache.iterator().forEachRemaining(entry -> seen.add(entry.getKey()));
    assertThat(seen).hasSize(2 * kinds.size());
    for (Kind kind : kinds) {
      assertThat(seen).as("%s", kind).anyMatch(key -> Objects.deepEquals(key, kind.equal().get()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeFoundAgainIsRefusedByName(Fallback fallback) {
    try (Rockpool pool = open(directory, fallback)) {
      PersistentCache<Object, String> cache = pool.cache("cache", ANY, TEXT);
      for (Supplier<Object> each : RefusedKeys.ALL) {
        Object key = each.get();
        for (Object held : new Object[] {key, List.of(key), new KeyKinds.Pair(1, key)}) {
          assertThatThrownBy(() -> cache.put(held, "v"), "%s", key.getClass())
              .isInstanceOf(UnencodableValueException.class)
              .hasMessageContaining(key.getClass().getName())
              .hasMessageContaining("make it a record");
        }
      }
      assertThat(cache.iterator().hasNext()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transientStateIsRefusedAlsoWhereTheFirstInstanceHasNone(Fallback fallback) {
    try (Rockpool pool = open(directory, fallback)) {
      PersistentCache<Object, String> cache = pool.cache("cache", ANY, TEXT);
      cache.put(new RefusedKeys.TransientState(null), "none");
      assertThat(cache.get(new RefusedKeys.TransientState(null))).isEqualTo("none");
      assertThatThrownBy(() -> cache.put(new RefusedKeys.TransientState("a"), "lost"))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("TransientState");
    }
  }

  @Test
  void aKeptHashCodeOfAnEnumIsRefusedWithTheWayOut() {
    try (Rockpool pool = open(directory, Fallback.FORY)) {
      PersistentCache<Object, String> cache = pool.cache("cache", ANY, TEXT);
      assertThatThrownBy(() -> cache.put(new KeyKinds.EntityKey(TimeUnit.DAYS, "Order"), "v"))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("KeyKinds$EntityKey")
          .hasMessageContaining("its field 'hash' has its hashCode")
          .hasMessageContaining("Make that field transient, or replace the constant by its name")
          .hasMessageContaining("Codecs.builder().register(");
      cache.put(new KeyKinds.EntityKey(TimeUnit.DAYS.name(), "Order"), "v");
      assertThat(cache.get(new KeyKinds.EntityKey("DAYS", "Order"))).isEqualTo("v");
    }
  }

  @Test
  void collectionsRefuseWhatOnlyItsEqualsTells() {
    try (Rockpool pool = open(directory, Fallback.FORY)) {
      Set<Object> set = pool.set("set", ANY);
      Map<Object, String> map = pool.map("map", ANY, TEXT);
      for (Object key :
          List.of(
              new KeyKinds.Entity(1, "a"),
              new KeyKinds.Tagged(1, "a"),
              List.of(new KeyKinds.Label("a")))) {
        for (Runnable use : List.<Runnable>of(() -> set.add(key), () -> map.put(key, "v"))) {
          assertThatThrownBy(use::run)
              .isInstanceOf(UnencodableValueException.class)
              .hasMessageContaining("KeyKinds$")
              .hasMessageContaining("make it a record");
        }
      }
      set.add(Set.of(1, 2));
      assertThat(set).containsExactly(Set.of(2, 1));
      assertThat(map).isEmpty();
    }
  }

  @Test
  void aThousandKeysMayHaveOneHash() {
    try (Rockpool pool = open(directory, Fallback.FORY)) {
      PersistentCache<Object, String> cache = pool.cache("cache", ANY, TEXT);
      IntStream.range(0, 1_000).forEach(i -> cache.put(new KeyKinds.OneHash(i), "v" + i));
      assertThat(cache.get(new KeyKinds.OneHash(999))).isEqualTo("v999");
      assertThatThrownBy(() -> cache.put(new KeyKinds.OneHash(1_000), "v"))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining("its hashCode is that of 1000 other keys");
    }
  }

  /** As if its hash code were another one in each process. */
  static final class Moody {
    static int mood = 1;
    final int number = 1;

    @Override
    public boolean equals(Object other) {
      return other instanceof Moody;
    }

    @Override
    public int hashCode() {
      return mood;
    }
  }

  static Stream<UnaryOperator<Object>> holders() {
    return Stream.of(
        key -> key, List::of, key -> new KeyKinds.Pair(1, key), key -> Map.of("a", Set.of(key)));
  }

  @ParameterizedTest
  @MethodSource("holders")
  void aHashThatDoesNotLastIsRefusedUntilTheCacheIsCleared(UnaryOperator<Object> holder) {
    Object lasting = holder.apply(new KeyKinds.Entity(1, "a"));
    Moody.mood = 1;
    try (Rockpool pool = open(directory, Fallback.FORY)) {
      pool.cache("cache", ANY, TEXT).put(lasting, "v"); // the first of the class of the holder
      pool.cache("cache", ANY, TEXT).put(holder.apply(new Moody()), "v");
    }
    Moody.mood = 2;
    try (Rockpool pool = open(directory, Fallback.FORY)) {
      PersistentCache<Object, String> cache = pool.cache("cache", ANY, TEXT);
      assertThat(cache.get(lasting)).isEqualTo("v");
      assertThatThrownBy(() -> cache.get(holder.apply(new Moody())))
          .isInstanceOf(UnencodableValueException.class)
          .hasMessageContaining(Moody.class.getName())
          .hasMessageContaining("its hashCode is another than in an earlier process");
      cache.clear();
      cache.put(holder.apply(new Moody()), "w");
      assertThat(cache.get(holder.apply(new Moody()))).isEqualTo("w");
    }
  }
}

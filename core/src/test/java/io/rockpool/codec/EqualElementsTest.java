package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multimaps;
import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Elements of sets, and keys of maps, that were changed after they were added, and so equal others
 * now. Reading would drop some, so writing refuses the value.
 */
@SuppressWarnings("JdkObsolete") // Applications have them.
class EqualElementsTest {
  private record Holder(MutablePart part) implements Serializable {}

  /** Only sorted sets and maps see that two are equal. */
  private static final class Rank implements Comparable<Rank>, Serializable {
    private static final long serialVersionUID = 1;
    private final MutablePart part;

    Rank(MutablePart part) {
      this.part = part;
    }

    @Override
    public int compareTo(Rank that) {
      return part.compareTo(that.part);
    }
  }

  private record Box(
      HashSet<MutablePart> set, HashMap<MutablePart, Integer> map, TreeSet<MutablePart> sorted)
      implements Serializable {}

  private static final class OwnSet<E> extends HashSet<E> {
    private static final long serialVersionUID = 1;
  }

  private static final class OwnSortedSet<E> extends TreeSet<E> {
    private static final long serialVersionUID = 1;
  }

  private static final class OwnMap<K, V> extends HashMap<K, V> {
    private static final long serialVersionUID = 1;
  }

  private static final class OwnLinkedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
  }

  private static final class OwnSortedMap<K, V> extends TreeMap<K, V> {
    private static final long serialVersionUID = 1;
  }

  private record Optionals(Set<Optional<MutablePart>> set) implements Serializable {}

  private record Maps(Map<Object, Integer> map) implements Serializable {}

  private record Guavas(
      @Nullable ImmutableSet<MutablePart> set, @Nullable ImmutableMap<MutablePart, Integer> map)
      implements Serializable {}

  /** A set as libraries have them: not of the JDK, and filled by its own way. */
  private static final class OwnAbstractSet extends AbstractSet<MutablePart>
      implements Serializable {
    private static final long serialVersionUID = 1;
    private final HashSet<MutablePart> all;

    OwnAbstractSet(List<MutablePart> parts) {
      all = new HashSet<>(parts);
    }

    @Override
    public Iterator<MutablePart> iterator() {
      return all.iterator();
    }

    @Override
    public int size() {
      return all.size();
    }
  }

  private static final class OwnAbstractMap extends AbstractMap<MutablePart, Integer>
      implements Serializable {
    private static final long serialVersionUID = 1;
    private final Map<MutablePart, Integer> all;

    OwnAbstractMap(Map<MutablePart, Integer> all) {
      this.all = all;
    }

    @Override
    public Set<Map.Entry<MutablePart, Integer>> entrySet() {
      return all.entrySet();
    }
  }

  /** Makes a value with some parts in a set, or as keys of a map. */
  private interface Container extends Function<List<MutablePart>, Object> {}

  private static <S extends Set<MutablePart>> S filled(S set, List<MutablePart> parts) {
    set.addAll(parts);
    return set;
  }

  private static <M extends Map<MutablePart, Integer>> M filled(M map, List<MutablePart> parts) {
    parts.forEach(part -> map.put(part, 1));
    return map;
  }

  private static final Map<String, Container> CONTAINERS = new LinkedHashMap<>();

  static {
    CONTAINERS.put("HashSet", HashSet::new);
    CONTAINERS.put("LinkedHashSet", LinkedHashSet::new);
    CONTAINERS.put("TreeSet", TreeSet::new);
    CONTAINERS.put(
        "TreeSet by comparator", all -> filled(new TreeSet<>(Comparator.reverseOrder()), all));
    CONTAINERS.put("ConcurrentSkipListSet", ConcurrentSkipListSet::new);
    CONTAINERS.put("CopyOnWriteArraySet", CopyOnWriteArraySet::new);
    CONTAINERS.put("newKeySet", all -> filled(ConcurrentHashMap.newKeySet(), all));
    CONTAINERS.put("Set.copyOf", Set::copyOf);
    CONTAINERS.put("unmodifiableSet", all -> Collections.unmodifiableSet(new HashSet<>(all)));
    CONTAINERS.put("synchronizedSet", all -> Collections.synchronizedSet(new HashSet<>(all)));
    CONTAINERS.put(
        "checkedSet", all -> Collections.checkedSet(new HashSet<>(all), MutablePart.class));
    CONTAINERS.put(
        "unmodifiableNavigableSet",
        all -> Collections.unmodifiableNavigableSet(new TreeSet<>(all)));
    CONTAINERS.put("newSetFromMap", all -> filled(Collections.newSetFromMap(new HashMap<>()), all));
    CONTAINERS.put("HashMap", all -> filled(new HashMap<>(), all));
    CONTAINERS.put("LinkedHashMap", all -> filled(new LinkedHashMap<>(), all));
    CONTAINERS.put("by access", all -> filled(new LinkedHashMap<>(16, 0.75f, true), all));
    CONTAINERS.put("TreeMap", all -> filled(new TreeMap<>(), all));
    CONTAINERS.put("Hashtable", all -> filled(new Hashtable<>(), all));
    CONTAINERS.put("ConcurrentHashMap", all -> filled(new ConcurrentHashMap<>(), all));
    CONTAINERS.put("ConcurrentSkipListMap", all -> filled(new ConcurrentSkipListMap<>(), all));
    CONTAINERS.put("Map.copyOf", all -> Map.copyOf(filled(new HashMap<>(), all)));
    CONTAINERS.put(
        "unmodifiableMap", all -> Collections.unmodifiableMap(filled(new HashMap<>(), all)));
    CONTAINERS.put("own set", all -> filled(new OwnSet<>(), all));
    CONTAINERS.put("own sorted set", all -> filled(new OwnSortedSet<>(), all));
    CONTAINERS.put("own map", all -> filled(new OwnMap<>(), all));
    CONTAINERS.put("own linked map", all -> filled(new OwnLinkedMap<>(), all));
    CONTAINERS.put("own sorted map", all -> filled(new OwnSortedMap<>(), all));
    CONTAINERS.put("in a list", all -> List.of(1, new HashSet<>(all)));
    CONTAINERS.put("in a map", all -> new HashMap<>(Map.of("k", new HashSet<>(all))));
    CONTAINERS.put("field", all -> new Box(new HashSet<>(all), new HashMap<>(), new TreeSet<>()));
    CONTAINERS.put(
        "map in a field",
        all -> new Box(new HashSet<>(), filled(new HashMap<>(), all), new TreeSet<>()));
    CONTAINERS.put(
        "sorted field", all -> new Box(new HashSet<>(), new HashMap<>(), new TreeSet<>(all)));
    CONTAINERS.put("of lists", all -> new HashSet<>(lists(all)));
    CONTAINERS.put(
        "of records", all -> new HashSet<>(all.stream().map(part -> new Holder(part)).toList()));
    CONTAINERS.put("of optionals", all -> new HashSet<>(all.stream().map(Optional::of).toList()));
    CONTAINERS.put(
        "of optionals in a field",
        all -> new Optionals(new HashSet<>(all.stream().map(Optional::of).toList())));
    CONTAINERS.put("keys after others", all -> withOthers(new LinkedHashMap<>(), all));
    CONTAINERS.put("keys after null", all -> afterNull(new LinkedHashMap<>(), all));
    CONTAINERS.put(
        "keys after others in a field", all -> new Maps(withOthers(new LinkedHashMap<>(), all)));
    CONTAINERS.put("concurrent keys", all -> withOthers(new ConcurrentHashMap<>(), all));
    CONTAINERS.put("of Hashtable", all -> withOthers(new Hashtable<>(), all));
    CONTAINERS.put("own, after others", all -> withOthers(new OwnLinkedMap<>(), all));
    CONTAINERS.put(
        "newSetFromMap, after others",
        all -> {
          Set<Object> mixed = Collections.newSetFromMap(new LinkedHashMap<>());
          mixed.addAll(List.of("a", 1));
          mixed.addAll(all);
          return mixed;
        });
    CONTAINERS.put(
        "newSetFromMap, concurrent, after others",
        all -> {
          Set<Object> mixed = Collections.newSetFromMap(new ConcurrentHashMap<>());
          mixed.addAll(List.of("a", 1));
          mixed.addAll(all);
          return mixed;
        });
    CONTAINERS.put("TreeSet of ranks", all -> new TreeSet<>(ranks(all)));
    CONTAINERS.put(
        "ConcurrentSkipListSet of ranks", all -> new ConcurrentSkipListSet<>(ranks(all)));
    CONTAINERS.put("TreeMap of ranks", all -> byRank(new TreeMap<>(), all));
    CONTAINERS.put(
        "ConcurrentSkipListMap of ranks", all -> byRank(new ConcurrentSkipListMap<>(), all));
    CONTAINERS.put(
        "newSetFromMap of ranks",
        all -> {
          Set<Rank> set = Collections.newSetFromMap(new ConcurrentSkipListMap<>());
          set.addAll(ranks(all));
          return set;
        });
    CONTAINERS.put(
        "keys after others, in a map, after a set of a map",
        all -> {
          Map<Object, Object> outer = new HashMap<>();
          Set<String> inner = Collections.newSetFromMap(new HashMap<>());
          inner.addAll(List.of("a", "b", "c", "d", "e"));
          outer.put("a", inner);
          outer.put("b", withOthers(new HashMap<>(), all));
          outer.put("c", inner);
          return List.of(inner, outer, outer);
        });
    CONTAINERS.put(
        "keys after a map in a map",
        all -> {
          Map<Object, Object> outer = new LinkedHashMap<>();
          outer.put("a", new LinkedHashMap<>(Map.of("a", 1, "b", 2)));
          outer.put(1, new LinkedHashMap<>(Map.of("a", 1)));
          all.forEach(part -> outer.put(part, new LinkedHashMap<>(Map.of("a", 1))));
          return outer;
        });
    CONTAINERS.put("ImmutableSet", ImmutableSet::copyOf);
    CONTAINERS.put("ImmutableSet in a field", all -> new Guavas(ImmutableSet.copyOf(all), null));
    CONTAINERS.put("ImmutableSortedSet", ImmutableSortedSet::copyOf);
    CONTAINERS.put("ImmutableMap", all -> ImmutableMap.copyOf(filled(new HashMap<>(), all)));
    CONTAINERS.put(
        "ImmutableMap in a field",
        all -> new Guavas(null, ImmutableMap.copyOf(filled(new HashMap<>(), all))));
    CONTAINERS.put(
        "ImmutableSortedMap", all -> ImmutableSortedMap.copyOf(filled(new TreeMap<>(), all)));
    CONTAINERS.put("HashBiMap", all -> HashBiMap.create(numbered(all)));
    CONTAINERS.put("ImmutableBiMap", all -> ImmutableBiMap.copyOf(numbered(all)));
    CONTAINERS.put("own abstract set", OwnAbstractSet::new);
    CONTAINERS.put("own abstract map", all -> new OwnAbstractMap(filled(new HashMap<>(), all)));
    CONTAINERS.put(
        "after others",
        all -> {
          Set<Object> mixed = new LinkedHashSet<>(List.of("a", 1));
          mixed.addAll(all);
          return mixed;
        });
  }

  private static Map<Object, Integer> withOthers(Map<?, ?> empty, List<MutablePart> parts) {
    @SuppressWarnings("unchecked")
    Map<Object, Integer> map = (Map<Object, Integer>) empty;
    map.put("a", 0);
    map.put(1, 0);
    parts.forEach(part -> map.put(part, 1));
    return map;
  }

  private static Map<Object, Integer> afterNull(Map<Object, Integer> map, List<MutablePart> parts) {
    map.put(null, 0);
    parts.forEach(part -> map.put(part, 1));
    return map;
  }

  private static List<Rank> ranks(List<MutablePart> parts) {
    return parts.stream().map(Rank::new).toList();
  }

  private static Map<Rank, Integer> byRank(Map<Rank, Integer> map, List<MutablePart> parts) {
    ranks(parts).forEach(rank -> map.put(rank, 1));
    return map;
  }

  private static Map<MutablePart, Integer> numbered(List<MutablePart> parts) {
    Map<MutablePart, Integer> map = new LinkedHashMap<>();
    parts.forEach(part -> map.put(part, map.size()));
    return map;
  }

  private static List<List<MutablePart>> lists(List<MutablePart> parts) {
    List<List<MutablePart>> lists = new ArrayList<>();
    parts.forEach(part -> lists.add(new ArrayList<>(List.of(part))));
    return lists;
  }

  /** What decides by itself what is equal: its own code reads it, so each value is read back. */
  private static final Map<String, Container> OTHERS =
      Map.of(
          "HashMultimap",
          all -> HashMultimap.create(Multimaps.index(all, x -> 1)),
          "ImmutableSetMultimap",
          all -> ImmutableSetMultimap.copyOf(Multimaps.index(all, x -> 1)),
          "HashMultiset",
          HashMultiset::create,
          "ImmutableMultiset",
          ImmutableMultiset::copyOf);

  private record Row(Fallback fallback, String container) {
    /** The JDK does not write optionals. */
    boolean isPossible() {
      return fallback == Fallback.FORY || !container.startsWith("of optionals");
    }
  }

  private static Stream<Row> rows() {
    return Stream.of(Fallback.values())
        .flatMap(fallback -> CONTAINERS.keySet().stream().map(name -> new Row(fallback, name)))
        .filter(Row::isPossible);
  }

  private static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .fallback(fallback)
        .allow(
            MutablePart.class,
            Holder.class,
            Rank.class,
            Box.class,
            Optionals.class,
            Maps.class,
            Guavas.class,
            OwnAbstractSet.class,
            OwnAbstractMap.class,
            OwnSet.class,
            OwnSortedSet.class,
            OwnMap.class,
            OwnLinkedMap.class,
            OwnSortedMap.class)
        .allowPackage("com.google.common.collect")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aValueThatWouldLoseElementsIsRefused(Row row) {
    Container container = CONTAINERS.get(row.container);
    List<MutablePart> parts =
        List.of(new MutablePart("a"), new MutablePart("b"), new MutablePart("c"));
    Object value = container.apply(parts);
    parts.get(1).rename("a");
    refuses(codec(row.fallback), value);
    Codec<Object> codec = codec(row.fallback);
    Object other = container.apply(List.of(new MutablePart("a"), new MutablePart("b")));
    byte[] bytes = codec.encode(other);
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(other);
    refuses(codec, value);
    parts.get(1).rename("d");
    byte[] again = codec.encode(container.apply(parts));
    assertThat(again).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMultimapOrMultisetIsRefused(Fallback fallback) {
    OTHERS.forEach(
        (name, container) -> {
          List<MutablePart> parts = List.of(new MutablePart("a"), new MutablePart("b"));
          Object value = container.apply(parts);
          Codec<Object> codec = codec(fallback);
          byte[] bytes = codec.encode(value);
          assertThat(codec.decode(bytes, 0, bytes.length)).as(name).isEqualTo(value);
          parts.get(1).rename("a");
          assertThatThrownBy(() -> codec.encode(value))
              .as(name)
              .isInstanceOf(UnencodableValueException.class)
              .hasMessageContaining("read back");
        });
  }

  @ParameterizedTest
  @EnumSource
  void anIdleCodecKeepsNoElement(Fallback fallback) {
    List<Codec<Object>> idle = new ArrayList<>();
    Map<String, WeakReference<Object>> written = new LinkedHashMap<>();
    CONTAINERS.forEach(
        (name, container) -> {
          List<MutablePart> parts = List.of(new MutablePart("a"), new MutablePart("b"));
          if (new Row(fallback, name).isPossible()) {
            Codec<Object> codec = codec(fallback);
            assertThat(codec.encode(container.apply(parts))).isNotEmpty();
            idle.add(codec);
            written.put(name, new WeakReference<>(parts.get(1)));
          }
        });
    for (int i = 0; i < 20 && written.values().stream().anyMatch(v -> v.get() != null); i++) {
      System.gc();
    }
    assertThat(idle).hasSameSizeAs(written.keySet());
    written.values().removeIf(part -> part.get() == null);
    assertThat(written.keySet()).isEmpty();
  }

  private static void refuses(Codec<Object> codec, Object value) {
    assertThatThrownBy(() -> codec.encode(value))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("equal")
        .hasMessageContaining("before they are added");
  }
}

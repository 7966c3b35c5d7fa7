package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Elements of sets, and keys of maps, that were changed after they were added, and so equal others
 * now. Reading would drop some, so writing refuses the value.
 */
@SuppressWarnings("JdkObsolete") // Applications have them.
class EqualElementsTest {
  private static final class Part implements Comparable<Part>, Serializable {
    private static final long serialVersionUID = 1;
    private String name;

    Part(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Part that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public int compareTo(Part that) {
      return name.compareTo(that.name);
    }
  }

  private record Holder(Part part) implements Serializable {}

  private record Box(HashSet<Part> set, HashMap<Part, Integer> map, TreeSet<Part> sorted)
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

  /** Makes a value with some parts in a set, or as keys of a map. */
  private interface Container extends Function<List<Part>, Object> {}

  private static <S extends Set<Part>> S filled(S set, List<Part> parts) {
    set.addAll(parts);
    return set;
  }

  private static <M extends Map<Part, Integer>> M filled(M map, List<Part> parts) {
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
    CONTAINERS.put("checkedSet", all -> Collections.checkedSet(new HashSet<>(all), Part.class));
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
    CONTAINERS.put(
        "after others",
        all -> {
          Set<Object> mixed = new LinkedHashSet<>(List.of("a", 1));
          mixed.addAll(all);
          return mixed;
        });
  }

  private static List<List<Part>> lists(List<Part> parts) {
    List<List<Part>> lists = new ArrayList<>();
    parts.forEach(part -> lists.add(new ArrayList<>(List.of(part))));
    return lists;
  }

  private record Row(Fallback fallback, String container) {}

  private static Stream<Row> rows() {
    return Stream.of(Fallback.values())
        .flatMap(fallback -> CONTAINERS.keySet().stream().map(name -> new Row(fallback, name)));
  }

  private static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder()
        .fallback(fallback)
        .allow(
            Part.class,
            Holder.class,
            Box.class,
            OwnSet.class,
            OwnSortedSet.class,
            OwnMap.class,
            OwnLinkedMap.class,
            OwnSortedMap.class)
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aValueThatWouldLoseElementsIsRefused(Row row) {
    Container container = CONTAINERS.get(row.container);
    List<Part> parts = List.of(new Part("a"), new Part("b"), new Part("c"));
    Object value = container.apply(parts);
    parts.get(1).name = "a";
    refuses(codec(row.fallback), value);
    Codec<Object> codec = codec(row.fallback);
    Object other = container.apply(List.of(new Part("a"), new Part("b")));
    byte[] bytes = codec.encode(other);
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(other);
    refuses(codec, value);
    parts.get(1).name = "d";
    byte[] again = codec.encode(container.apply(parts));
    assertThat(again).isNotEmpty();
  }

  private static void refuses(Codec<Object> codec, Object value) {
    assertThatThrownBy(() -> codec.encode(value))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("equal")
        .hasMessageContaining("before they are added");
  }
}

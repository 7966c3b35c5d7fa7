package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Queue;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A collection of the JDK that was read does what the one did that was written, and refuses it. */
class JdkBehaviorTest {
  private static final List<String> AB = List.of("a", "b");

  private static Map<String, Object> map() {
    return new LinkedHashMap<>(Map.of("a", 1));
  }

  /** Each kind of collection; some are not serializable. */
  @SuppressWarnings("JdkObsolete") // People have them.
  private static Map<String, Supplier<Object>> kinds() {
    Map<String, Supplier<Object>> kinds = new LinkedHashMap<>();
    kinds.put("Stream.toList", () -> Stream.of("a", "b").toList());
    kinds.put("Stream.toList of one", () -> Stream.of("a").toList());
    kinds.put("Stream.toList of none", () -> Stream.of().toList());
    kinds.put("Stream.toList with null", () -> Stream.of("a", null).toList());
    kinds.put("Stream.toList, a part", () -> Stream.of("a", "b", "c").toList().subList(0, 2));
    kinds.put("List.of", () -> List.of("a", "b"));
    kinds.put("List.of one", () -> List.of("a"));
    kinds.put("List.of three", () -> List.of("a", "b", "c"));
    kinds.put("List.of none", List::of);
    kinds.put("List.of, a part", () -> List.of("a", "b", "c").subList(0, 2));
    kinds.put("List.copyOf", () -> List.copyOf(new ArrayList<>(AB)));
    kinds.put("Arrays.asList", () -> Arrays.asList("a", "b"));
    kinds.put("Arrays.asList with null", () -> Arrays.asList("a", null));
    kinds.put("ArrayList.subList", () -> new ArrayList<>(AB).subList(0, 2));
    kinds.put("nCopies", () -> Collections.nCopies(2, "a"));
    kinds.put("nCopies of null", () -> Collections.nCopies(2, null));
    kinds.put("emptyList", Collections::emptyList);
    kinds.put("emptySet", Collections::emptySet);
    kinds.put("emptyMap", Collections::emptyMap);
    kinds.put("emptyNavigableMap", Collections::emptyNavigableMap);
    kinds.put("emptyNavigableSet", Collections::emptyNavigableSet);
    kinds.put("singletonList", () -> Collections.singletonList("a"));
    kinds.put("singletonList of null", () -> Collections.singletonList(null));
    kinds.put("singleton", () -> Collections.singleton("a"));
    kinds.put("singletonMap", () -> Collections.singletonMap("a", 1));
    kinds.put("Set.of", () -> Set.of("a"));
    kinds.put("Set.of none", Set::of);
    kinds.put("Set.copyOf", () -> Set.copyOf(new HashSet<>(List.of("a"))));
    kinds.put("Map.of", () -> Map.of("a", 1));
    kinds.put("Map.of none", Map::of);
    kinds.put("Map.copyOf", () -> Map.copyOf(new HashMap<>(Map.of("a", 1))));
    kinds.put("unmodifiableList", () -> Collections.unmodifiableList(new ArrayList<>(AB)));
    kinds.put("unmodifiable linked", () -> Collections.unmodifiableList(new LinkedList<>(AB)));
    kinds.put("unmodifiable List.of", () -> Collections.unmodifiableList(List.of("a")));
    kinds.put("unmodifiableSet", () -> Collections.unmodifiableSet(new LinkedHashSet<>(AB)));
    kinds.put("unmodifiableSortedSet", () -> Collections.unmodifiableSortedSet(new TreeSet<>(AB)));
    kinds.put(
        "unmodifiableNavigableSet", () -> Collections.unmodifiableNavigableSet(new TreeSet<>(AB)));
    kinds.put("unmodifiableMap", () -> Collections.unmodifiableMap(map()));
    kinds.put(
        "unmodifiableSortedMap", () -> Collections.unmodifiableSortedMap(new TreeMap<>(map())));
    kinds.put(
        "unmodifiableNavigableMap",
        () -> Collections.unmodifiableNavigableMap(new TreeMap<>(map())));
    kinds.put(
        "unmodifiableCollection", () -> Collections.unmodifiableCollection(new ArrayList<>(AB)));
    kinds.put("synchronizedList", () -> Collections.synchronizedList(new ArrayList<>(AB)));
    kinds.put("synchronizedSet", () -> Collections.synchronizedSet(new LinkedHashSet<>(AB)));
    kinds.put("synchronizedSortedSet", () -> Collections.synchronizedSortedSet(new TreeSet<>(AB)));
    kinds.put(
        "synchronizedNavigableSet", () -> Collections.synchronizedNavigableSet(new TreeSet<>(AB)));
    kinds.put("synchronizedMap", () -> Collections.synchronizedMap(map()));
    kinds.put(
        "synchronizedSortedMap", () -> Collections.synchronizedSortedMap(new TreeMap<>(map())));
    kinds.put(
        "synchronizedCollection", () -> Collections.synchronizedCollection(new ArrayList<>(AB)));
    kinds.put("checkedList", () -> Collections.checkedList(new ArrayList<>(AB), String.class));
    kinds.put("checkedSet", () -> Collections.checkedSet(new LinkedHashSet<>(AB), String.class));
    kinds.put(
        "checkedSortedSet", () -> Collections.checkedSortedSet(new TreeSet<>(AB), String.class));
    kinds.put("checkedMap", () -> Collections.checkedMap(map(), String.class, Object.class));
    kinds.put("checkedQueue", () -> Collections.checkedQueue(new ArrayDeque<>(AB), String.class));
    kinds.put("newSetFromMap", () -> Collections.newSetFromMap(new ConcurrentHashMap<>()));
    kinds.put("CopyOnWriteArrayList", () -> new CopyOnWriteArrayList<>(AB));
    kinds.put("Vector", () -> new Vector<>(AB));
    kinds.put("ArrayDeque", () -> new ArrayDeque<>(AB));
    kinds.put("TreeMap, reversed", () -> new TreeMap<>(Collections.reverseOrder()));
    kinds.put("ConcurrentHashMap.newKeySet", ConcurrentHashMap::newKeySet);
    return kinds;
  }

  static Stream<Arguments> kindsByCodec() {
    return Stream.of(Fallback.values())
        .flatMap(
            fallback ->
                kinds().entrySet().stream()
                    .map(kind -> Arguments.of(kind.getKey(), fallback, kind.getValue())));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("kindsByCodec")
  void isKept(String name, Fallback fallback, Supplier<Object> kind) {
    Codec<Object> codec =
        Codecs.builder().fallback(fallback).build().valueCodec(TypeRef.of(Object.class));
    byte[] bytes;
    try {
      bytes = codec.encode(kind.get());
    } catch (UnencodableValueException e) {
      assertThat(isRefused(name, fallback)).as(e.getMessage()).isTrue();
      return;
    }
    assertThat(isRefused(name, fallback)).isFalse();
    Supplier<Object> copy = () -> codec.decode(bytes, 0, bytes.length);
    assertThat(copy.get().getClass()).isEqualTo(kind.get().getClass());
    assertThat(behavior(copy)).isEqualTo(behavior(kind));
  }

  private static boolean isRefused(String name, Fallback fallback) {
    return fallback == Fallback.JAVA_SERIALIZATION
        && (name.contains("a part") || name.equals("ArrayList.subList"));
  }

  /** What each operation returns, or throws, and leaves of a new instance. */
  @SuppressWarnings("unchecked")
  private static Map<String, String> behavior(Supplier<Object> kind) {
    Map<String, String> found = new LinkedHashMap<>();
    if (kind.get() instanceof Map) {
      Supplier<Map<Object, Object>> map = () -> (Map<Object, Object>) kind.get();
      note(found, "get(null)", map, x -> x.get(null));
      note(found, "containsKey(null)", map, x -> x.containsKey(null));
      note(found, "containsValue(null)", map, x -> x.containsValue(null));
      note(found, "put", map, x -> x.put("n", 2));
      note(found, "put null", map, x -> x.put(null, null));
      note(found, "put another type", map, x -> x.put(7, 7));
      note(found, "remove", map, x -> x.remove("a"));
      note(found, "clear", map, Map::size);
      note(found, "setValue", map, x -> x.entrySet().iterator().next().setValue(7));
      note(found, "keySet remove", map, x -> x.keySet().remove("a"));
      return found;
    }
    Supplier<Collection<Object>> all = () -> (Collection<Object>) kind.get();
    note(found, "random access", all, x -> x instanceof RandomAccess);
    note(found, "contains(null)", all, x -> x.contains(null));
    note(found, "containsAll(null)", all, x -> x.containsAll(Arrays.asList("a", null)));
    note(found, "add", all, x -> x.add("n"));
    note(found, "add null", all, x -> x.add(null));
    note(found, "add another type", all, x -> x.add(7));
    note(found, "remove", all, x -> x.remove("a"));
    note(found, "removeIf", all, x -> x.removeIf("a"::equals));
    note(
        found,
        "iterator remove",
        all,
        x -> {
          Iterator<Object> walk = x.iterator();
          walk.next();
          walk.remove();
          return null;
        });
    if (kind.get() instanceof List) {
      Supplier<List<Object>> list = () -> (List<Object>) kind.get();
      note(found, "indexOf(null)", list, x -> x.indexOf(null));
      note(found, "lastIndexOf(null)", list, x -> x.lastIndexOf(null));
      note(found, "set", list, x -> x.set(0, "n"));
      note(found, "set null", list, x -> x.set(0, null));
      note(found, "subList contains(null)", list, x -> x.subList(0, x.size()).contains(null));
      note(
          found,
          "iterator set",
          list,
          x -> {
            ListIterator<Object> walk = x.listIterator();
            walk.next();
            walk.set("n");
            return null;
          });
    }
    if (kind.get() instanceof Queue) {
      note(found, "offer another type", all, x -> ((Queue<Object>) x).offer(7));
    }
    return found;
  }

  private static <C> void note(
      Map<String, String> found, String name, Supplier<C> kind, Function<C, Object> operation) {
    C it = kind.get();
    String result;
    try {
      result = String.valueOf(operation.apply(it));
    } catch (RuntimeException e) {
      result = e.getClass().getName();
    }
    found.put(name, result + ", then " + it);
  }
}

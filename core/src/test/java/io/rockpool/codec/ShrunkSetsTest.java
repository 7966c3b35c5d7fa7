package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.SourceLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sets and maps whose elements or keys have become equal to each other since they were written. */
class ShrunkSetsTest {
  private static final List<String> CONTAINERS =
      List.of(
          "new HashSet<>(all)",
          "new LinkedHashSet<>(all)",
          "new TreeSet<>(all)",
          "new java.util.concurrent.ConcurrentSkipListSet<>(all)",
          "new java.util.concurrent.CopyOnWriteArraySet<>(all)",
          "filled(java.util.concurrent.ConcurrentHashMap.newKeySet(), all)",
          "Set.copyOf(all)",
          "Collections.unmodifiableSet(new HashSet<>(all))",
          "Collections.synchronizedSet(new HashSet<>(all))",
          "filled(Collections.newSetFromMap(new HashMap<>()), all)",
          "filled(new HashMap<>(), all)",
          "filled(new LinkedHashMap<>(), all)",
          "filled(new LinkedHashMap<>(16, 0.75f, true), all)",
          "filled(new TreeMap<>(), all)",
          "filled(new java.util.concurrent.ConcurrentHashMap<>(), all)",
          "filled(new java.util.concurrent.ConcurrentSkipListMap<>(), all)",
          "Map.copyOf(filled(new HashMap<>(), all))",
          "Collections.unmodifiableMap(filled(new HashMap<>(), all))",
          "List.of(new HashSet<>(all), new HashSet<>(all))",
          "new HashSet<>(Set.of(new HashSet<>(all), Set.of()))",
          "filled(new OwnSet(), all)",
          "filled(new OwnSortedSet(), all)",
          "filled(new OwnMap(), all)",
          "filled(new OwnLinkedMap(), all)",
          "filled(new OwnSortedMap(), all)",
          "new Box(new HashSet<>(all), filled(new HashMap<>(), Set.of()), null)",
          "new Box(new HashSet<>(), filled(new HashMap<>(), all), null)",
          "new Box(new HashSet<>(), null, new TreeSet<>(all))");

  private static SourceLoader version(String equality) {
    return new SourceLoader(
        """
        public class Main {
          public record Id(int number, String name) implements Comparable<Id>, Serializable {
            Object[] parts() { return new Object[] {#}; }
            public boolean equals(Object o) {
              return o instanceof Id that && Arrays.equals(parts(), that.parts());
            }
            public int hashCode() { return Arrays.hashCode(parts()); }
            public int compareTo(Id that) {
              return Arrays.toString(parts()).compareTo(Arrays.toString(that.parts()));
            }
          }
          public record Box(HashSet<Id> set, HashMap<Id, Boolean> map, TreeSet<Id> sorted)
              implements Serializable {}
          public static class OwnSet extends HashSet<Id> { public OwnSet() {} OwnSet me = this; }
          public static class OwnSortedSet extends TreeSet<Id> { public OwnSortedSet() {} }
          public static class OwnMap extends HashMap<Id, Boolean> { public OwnMap() {} int n = 3; }
          public static class OwnLinkedMap extends LinkedHashMap<Id, Boolean> {
            public OwnLinkedMap() {}
          }
          public static class OwnSortedMap extends TreeMap<Id, Boolean> {
            public OwnSortedMap() {}
          }
          static Set<Id> filled(Set<Id> set, Set<Id> all) { set.addAll(all); return set; }
          static <M extends Map<Id, Boolean>> M filled(M map, Set<Id> all) {
            for (Id id : all) { map.put(id, true); }
            return map;
          }
          public static Object make(int kind) {
            Set<Id> all = Set.of(new Id(1, "a"), new Id(1, "b"), new Id(2, "c"));
            return switch (kind) {
              CASES
              default -> null;
            };
          }
        }
        """
            .replace("#", equality)
            .replace("CASES", cases()));
  }

  private static String cases() {
    StringBuilder cases = new StringBuilder();
    for (int i = 0; i < CONTAINERS.size(); i++) {
      cases.append("case " + i + " -> " + CONTAINERS.get(i) + ";\n");
    }
    return cases.toString();
  }

  private static Codec<Object> codec(SourceLoader loader) {
    return Codecs.builder()
        .classLoader(loader)
        .allowPackage("app")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  @Test
  void elementsThatHaveBecomeEqualAreNotDropped() throws Exception {
    SourceLoader before = version("number, name");
    Codec<Object> writer = codec(before);
    Codec<Object> same = codec(before);
    Codec<Object> reader = codec(version("number"));
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < CONTAINERS.size(); i++) {
      Object value = before.main().getMethod("make", int.class).invoke(null, i);
      byte[] bytes = writer.encode(value);
      Object back = same.decode(bytes, 0, bytes.length);
      if (!(value instanceof java.util.concurrent.CopyOnWriteArraySet)) {
        assertThat(back).as(CONTAINERS.get(i)).isEqualTo(value);
      }
      try {
        wrong.add(CONTAINERS.get(i) + ": " + reader.decode(bytes, 0, bytes.length));
      } catch (UndecodableValueException e) {
        boolean refusedByJdk = CONTAINERS.get(i).contains(".copyOf(");
        if (!refusedByJdk && !e.getMessage().contains("equals or compareTo of class app.Main$Id")) {
          wrong.add(CONTAINERS.get(i) + ": " + e.getMessage());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void theMessageSaysWhatHasChanged() throws Exception {
    SourceLoader before = version("number, name");
    byte[] bytes = codec(before).encode(before.main().getMethod("make", int.class).invoke(null, 0));
    Codec<Object> reader = codec(version("number"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> reader.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .hasMessageContaining("java.util.HashSet of 3 elements")
          .hasMessageContaining("some are equal to others now")
          .hasMessageContaining("equals or compareTo of class app.Main$Id");
    }
    Map<String, Integer> others = Map.of("a", 1);
    byte[] good = reader.encode(others);
    assertThat(reader.decode(good, 0, good.length)).isEqualTo(others);
  }
}

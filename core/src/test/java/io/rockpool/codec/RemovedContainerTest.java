package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Skips containers of removed fields, and keeps the references to elements of sublists. */
@Slow
final class RemovedContainerTest {
  private static final String GONE =
      """
      public enum E { A, B { } }
      public enum F { A }
      public record Held(E e, E[] es, EnumSet<E> set) {}
      """;

  /** Codecs of the class without the component, and with less or more of the other classes. */
  private static final List<Codec<Object>> LATER =
      Stream.of("", ", E e, F f", ", Held held")
          .map(
              more ->
                  "public record Main(double before, String after%s) { %s }"
                      .formatted(more, more.isEmpty() ? "" : GONE))
          .map(source -> new SourceLoader(source).codec(Fallback.FORY))
          .toList();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "List<Double> = new ArrayList<>(List.of(1d, 2d))",
        "List<Double> = List.of(1d, 2d)",
        "List<String> = List.of(\"a\")",
        "List<String> = Collections.nCopies(2, \"a\")",
        "List<Double> = java.util.stream.Stream.of(1d, 2d).toList()",
        "List<Double> = List.of(1d, 2d, 3d).subList(0, 2)",
        "List<UUID> = new ArrayList<>(List.of(new UUID(1, 2))).subList(0, 1)",
        "List<List<String>> = List.of(List.of(\"a\"))",
        "Map<Long, List<Float>> = Map.of(1L, List.of(1f))",
        "Collection<Double> = new PriorityQueue<>(List.of(1d, 2d))",
        "Queue<Double> = new java.util.concurrent.ArrayBlockingQueue<>(3, false, List.of(1d))",
        "Set<Double> = Set.of(1d)",
        "Optional<List<Double>> = Optional.of(List.of(1d))",
        "E[] = new E[] {E.A, null, E.B}",
        "E[][] = new E[][] {{E.A}, {}}",
        "E[][][] = new E[][][] {null, {null, {E.B}}}",
        "F[] = new F[] {F.A, null}",
        "F[][] = new F[][] {{F.A, F.A}, null}",
        "List<E[]> = Collections.singletonList(new E[] {E.A})",
        "Map<E, E[]> = Map.of(E.A, new E[] {E.A})",
        "EnumSet<E> = EnumSet.of(E.B)",
        "Set<E> = EnumSet.noneOf(E.class)",
        "Set<E> = EnumSet.allOf(E.class)",
        "EnumMap<E, String> = new EnumMap<>(Map.of(E.A, \"a\", E.B, \"b\"))",
        "Map<E, List<E>> = new EnumMap<>(Map.of(E.B, List.of(E.A)))",
        "Map<F, F[]> = new EnumMap<>(Map.of(F.A, new F[] {F.A}))",
        "Map<E, Held> = new EnumMap<>(E.class)",
        "EnumMap<E, Held> = new EnumMap<>(Collections.singletonMap(E.A, null))",
        "List<Map<E, F>> = new ArrayList<>(List.of(new EnumMap<>(Map.of(E.A, F.A))))",
        "Held = new Held(E.A, new E[] {E.B}, EnumSet.of(E.B))"
      })
  void aRemovedComponentIsSkipped(String component) {
    String[] typeAndValue = component.split(" = ", 2);
    SourceLoader before =
        new SourceLoader(
            """
            public record Main(double before, %s removed, String after) {
              public static Object make() {
                return new Main(1, %s, "z");
              }
              %s
            }
            """
                .formatted(typeAndValue[0], typeAndValue[1], GONE));
    byte[] bytes = before.codec(Fallback.FORY).encode(before.make());
    for (Codec<Object> later : LATER) {
      assertThat(String.valueOf(later.decode(bytes, 0, bytes.length)))
          .startsWith("Main[before=1.0, after=z");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"E", "F"})
  void anArrayThatALaterFieldRefersToIsNotLostInSilence(String type) {
    String enums = "public enum E { A, B { } } public enum F { A }";
    SourceLoader before =
        new SourceLoader(
            """
            public record Main(X[] removed, X x, Object rest) {
              public static Object make() {
                X[] both = {X.A};
                return new Main(both, X.A, both);
              }
              %s
            }
            """
                .formatted(enums)
                .replace("X", type));
    SourceLoader now =
        new SourceLoader("public record Main(%s x, Object rest) { %s }".formatted(type, enums));
    byte[] bytes = before.codec(Fallback.FORY).encode(before.make());
    assertThatThrownBy(() -> now.codec(Fallback.FORY).decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("field back");
  }

  @Test
  void aMapThatALaterFieldRefersToIsKept() {
    assertThat(readWithout("EnumMap<E, String>", "new EnumMap<>(Map.of(E.A, \"a\"))"))
        .hasToString("Main[e=A, rest={A=a}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new EnumMap<>(Map.of(E.A, E.B))", "new HashMap<>(Map.of(E.A, E.B))"})
  void constantsThatALaterFieldRefersToAreNotLostInSilence(String map) {
    assertThatThrownBy(() -> readWithout("Map<E, E>", map))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("field back");
  }

  /** Returns what is read of an object that has a map in two fields, of which one is gone. */
  private static Object readWithout(String type, String map) {
    String source =
        """
        public record Main(%s E e, Object rest) {
          public static Object make() {
            %s;
          }
          public enum E { A, B { } }
        }
        """;
    String make = type + " both = " + map + "; return new Main(both, E.A, both)";
    SourceLoader before = new SourceLoader(source.formatted(type + " removed,", make));
    SourceLoader now = new SourceLoader(source.formatted("", "return null"));
    byte[] bytes = before.codec(Fallback.FORY).encode(before.make());
    return now.codec(Fallback.FORY).decode(bytes, 0, bytes.length);
  }

  @Test
  void aSublistIsWrittenAloneAndLeavesOtherReferencesAsTheyAre() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add(new UUID(0, i));
    }
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("items", ids.subList(0, 3));
    page.put("next", ids.get(999));
    page.put("again", new ArrayList<>(Arrays.asList(ids.get(999), ids.subList(2, 4), ids.get(0))));
    Codec<Map<String, Object>> codec = Codecs.defaults().valueCodec(new TypeRef<>() {});
    byte[] bytes = codec.encode(page);
    assertThat(bytes).hasSizeLessThan(500);
    Map<String, Object> read = codec.decode(bytes, 0, bytes.length);
    assertThat(read).isEqualTo(page);
    assertThat(read.get("items")).hasSameClassAs(page.get("items"));
  }
}

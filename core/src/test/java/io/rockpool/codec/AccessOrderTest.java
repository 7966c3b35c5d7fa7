package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A linked map keeps its kind of order: a get moves the entry in the copy as in the original. */
@SuppressWarnings({"serial", "NonApiType"}) // fields as applications declare them
class AccessOrderTest {
  record Boxes(
      LinkedHashMap<String, Integer> linked,
      Map<String, Integer> map,
      Object any,
      List<LinkedHashMap<String, Integer>> list,
      Map<String, Map<String, Integer>> nested)
      implements Serializable {}

  static class Field implements Serializable {
    private static final long serialVersionUID = 1L;
    LinkedHashMap<String, Object> linked = new LinkedHashMap<>();
  }

  /** Its constructor says the order, as those of most caches of the least recently used do. */
  static class Lru extends LinkedHashMap<String, Integer> {
    private static final long serialVersionUID = 1L;
    int limit;

    Lru() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
      return limit > 0 && size() > limit;
    }
  }

  /** Its constructors make either order. */
  static class Either extends LinkedHashMap<String, Integer> {
    private static final long serialVersionUID = 1L;

    Either() {}

    Either(boolean byAccess) {
      super(16, 0.75f, byAccess);
    }
  }

  /** Without a constructor that takes nothing. */
  static class Sized extends LinkedHashMap<String, Integer> {
    private static final long serialVersionUID = 1L;

    Sized(int size, boolean byAccess) {
      super(size, 0.75f, byAccess);
    }
  }

  private static <M extends Map<String, Integer>> M fill(M map) {
    map.putAll(Map.of("a", 1));
    map.put("b", 2);
    map.put("c", 3);
    return map;
  }

  private static LinkedHashMap<String, Integer> linked(boolean byAccess) {
    return fill(new LinkedHashMap<>(16, 0.75f, byAccess));
  }

  /** By a look that moves what it finds. */
  private static boolean isByAccess(Object map) {
    Map<?, ?> seen = (Map<?, ?>) map;
    assertThat(seen.size()).isEqualTo(3);
    Object first = seen.keySet().iterator().next();
    seen.get(first);
    return !seen.keySet().iterator().next().equals(first);
  }

  private static Object roundTrip(Object value, Fallback fallback) {
    Codecs codecs = Codecs.builder().fallback(fallback).allowPackage("io.rockpool.codec").build();
    byte[] bytes = codecs.valueCodec(TypeRef.of(Object.class)).encode(value);
    return codecs.valueCodec(TypeRef.of(Object.class)).decode(bytes, 0, bytes.length);
  }

  private static final Map<String, Function<Object, Object>> PUT = new LinkedHashMap<>();
  private static final Map<String, Function<Object, Object>> TAKE = new HashMap<>();

  @SuppressWarnings("unchecked")
  private static void place(
      String name, Function<LinkedHashMap<String, Integer>, Object> put, Function<?, ?> take) {
    PUT.put(name, x -> put.apply((LinkedHashMap<String, Integer>) x));
    TAKE.put(name, x -> ((Function<Object, Object>) take).apply(x));
  }

  static {
    place("alone", x -> x, x -> x);
    place("declared", x -> new Boxes(x, null, null, null, null), (Boxes x) -> x.linked());
    place("as a map", x -> new Boxes(null, x, null, null, null), (Boxes x) -> x.map());
    place("as any", x -> new Boxes(null, null, x, null, null), (Boxes x) -> x.any());
    place(
        "in a list",
        x -> new Boxes(null, null, null, List.of(x), null),
        (Boxes x) -> x.list().get(0));
    place(
        "in a map",
        x -> new Boxes(null, null, null, null, new HashMap<>(Map.of("k", x))),
        (Boxes x) -> x.nested().get("k"));
    place("element", x -> new ArrayList<>(List.of("x", x)), (List<?> x) -> x.get(1));
    place("map value", x -> new TreeMap<>(Map.of("k", x)), (Map<?, ?> x) -> x.get("k"));
    place("optional", Optional::of, (Optional<?> x) -> x.orElseThrow());
    place("array", x -> new Object[] {x}, (Object[] x) -> x[0]);
    place("unmodifiable", Collections::unmodifiableMap, x -> x);
    place("synchronized", Collections::synchronizedMap, x -> x);
    place("checked", x -> Collections.checkedMap(x, String.class, Integer.class), x -> x);
    place(
        "field",
        x -> {
          Field field = new Field();
          field.linked.putAll(Map.of("k", x));
          return field;
        },
        (Field x) -> x.linked.get("k"));
  }

  @ParameterizedTest
  @EnumSource
  void bothOrdersAreKeptAtEveryPlace(Fallback fallback) {
    for (String place : PUT.keySet()) {
      if (place.equals("optional") && fallback == Fallback.JAVA_SERIALIZATION) {
        continue; // which is not serializable
      }
      for (boolean byAccess : new boolean[] {true, false}) {
        Object back =
            TAKE.get(place).apply(roundTrip(PUT.get(place).apply(linked(byAccess)), fallback));
        assertThat((Map<?, ?>) back).as(place).isEqualTo(linked(byAccess));
        assertThat(((Map<?, ?>) back).keySet().toString()).as(place).isEqualTo("[a, b, c]");
        assertThat(isByAccess(back)).as(place).isEqualTo(byAccess);
      }
    }
  }

  @Test
  void anEmptyMapAndOneInACycleKeepTheOrder() {
    LinkedHashMap<String, Integer> empty = new LinkedHashMap<>(16, 0.75f, true);
    @SuppressWarnings("unchecked")
    Map<String, Integer> back = (Map<String, Integer>) roundTrip(empty, Fallback.FORY);
    assertThat(isByAccess(fill(back))).isTrue();
    Field field = new Field();
    field.linked = new LinkedHashMap<>(16, 0.75f, true);
    field.linked.put("self", field);
    field.linked.put("twice", field.linked);
    Field copy = (Field) roundTrip(field, Fallback.FORY);
    assertThat(copy.linked.get("self")).isSameAs(copy);
    assertThat(copy.linked.get("twice")).isSameAs(copy.linked);
    assertThat(copy.linked.keySet().iterator().next()).isEqualTo("self");
  }

  @ParameterizedTest
  @EnumSource
  void aSubclassKeepsTheOrderOrIsRefused(Fallback fallback) {
    for (Object map :
        List.of(
            fill(new Lru()),
            fill(new Either()), // first, so that the class is proven
            fill(new Either(true)),
            fill(new Sized(9, true)),
            fill(new Sized(9, false)))) {
      boolean byAccess = isByAccess(((LinkedHashMap<?, ?>) map).clone());
      String order = ((Map<?, ?>) map).keySet().toString();
      Object back;
      try {
        back = roundTripInOne(map, fallback);
      } catch (UnencodableValueException e) {
        assertThat(e).hasMessageContaining(map.getClass().getName());
        assertThat(map).isInstanceOf(Either.class);
        assertThat(fallback).isEqualTo(Fallback.FORY);
        continue;
      }
      assertThat(((Map<?, ?>) back).keySet().toString()).isEqualTo(order);
      assertThat(isByAccess(back)).as(map.getClass().getName()).isEqualTo(byAccess);
    }
  }

  private static final Map<Fallback, Codec<Object>> SHARED = new HashMap<>();

  private static Object roundTripInOne(Object value, Fallback fallback) {
    Codec<Object> codec =
        SHARED.computeIfAbsent(
            fallback,
            f ->
                Codecs.builder()
                    .fallback(f)
                    .allowPackage("io.rockpool.codec")
                    .build()
                    .valueCodec(TypeRef.of(Object.class)));
    byte[] bytes = codec.encode(value);
    return codec.decode(bytes, 0, bytes.length);
  }

  @Test
  void theRefusalSaysWhatToDo() {
    roundTripInOne(fill(new Either()), Fallback.FORY);
    assertThatThrownBy(() -> roundTripInOne(fill(new Either(true)), Fallback.FORY))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(Either.class.getName())
        .hasMessageContaining("access order");
  }
}

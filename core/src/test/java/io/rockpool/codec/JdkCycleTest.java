package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Containers of the JDK that hold themselves, or nest deep, are kept as they are or refused. */
@Slow
class JdkCycleTest {
  private static final int DEEP = 100_000;

  /** Each makes a container of one element. */
  private static Map<String, UnaryOperator<Object>> kinds() {
    Map<String, UnaryOperator<Object>> kinds = new LinkedHashMap<>();
    kinds.put("List.of", List::of);
    kinds.put("Map.of", x -> Map.of("k", x));
    kinds.put("Map.of two", x -> Map.of("k", x, "l", 2));
    kinds.put("Map.entry", x -> Map.entry("k", x));
    kinds.put("Optional", Optional::of);
    kinds.put("Stream.toList", x -> Stream.of(x, null).toList());
    kinds.put("unmodifiableList", x -> Collections.unmodifiableList(new ArrayList<>(List.of(x))));
    kinds.put("unmodifiableMap", x -> Collections.unmodifiableMap(new HashMap<>(Map.of("k", x))));
    kinds.put("synchronizedList", x -> Collections.synchronizedList(new ArrayList<>(List.of(x))));
    kinds.put("checkedList", x -> Collections.checkedList(listOf(x), Object.class));
    kinds.put("asList", Arrays::asList);
    kinds.put("singletonList", Collections::singletonList);
    kinds.put("singletonMap", x -> Collections.singletonMap("k", x));
    kinds.put("subList", x -> listOf(x).subList(0, 1));
    kinds.put("nCopies", x -> Collections.nCopies(1, x));
    kinds.put("SimpleEntry", x -> new SimpleEntry<>("k", x));
    kinds.put("AtomicReference", AtomicReference::new);
    kinds.put("AtomicReferenceArray", x -> new AtomicReferenceArray<>(new Object[] {x}));
    kinds.put("array", x -> new Object[] {x});
    kinds.put("ArrayList", JdkCycleTest::listOf);
    kinds.put("CopyOnWriteArrayList", x -> new CopyOnWriteArrayList<>(List.of(x)));
    kinds.put("ArrayBlockingQueue", x -> new ArrayBlockingQueue<>(1, false, List.of(x)));
    kinds.put("ConcurrentHashMap", x -> new ConcurrentHashMap<>(Map.of("k", x)));
    return kinds;
  }

  private static List<Object> listOf(Object x) {
    return new ArrayList<>(List.of(x));
  }

  private static Codec<Object> codec(Fallback fallback) {
    return Codecs.builder().fallback(fallback).build().valueCodec(TypeRef.of(Object.class));
  }

  @ParameterizedTest
  @EnumSource
  void whatHoldsItselfComesBackWholeOrIsRefused(Fallback fallback) {
    List<String> wrong = new ArrayList<>();
    Codec<Object> codec = codec(fallback);
    kinds().forEach((name, kind) -> check(name, codec, kind, wrong));
    check("Set.of", codec, Set::of, wrong);
    check("HashSet", codec, x -> new HashSet<>(Set.of(x)), wrong);
    check("key", codec, x -> Map.of(x, 1), wrong);
    assertThat(wrong).isEmpty();
  }

  private static void check(
      String name, Codec<Object> codec, UnaryOperator<Object> kind, List<String> wrong) {
    List<Object> inner = new ArrayList<>();
    Object outer = kind.apply(inner);
    inner.add(outer);
    for (Object given : new Object[] {outer, inner}) {
      try {
        byte[] bytes = codec.encode(given);
        Object back = codec.decode(bytes, 0, bytes.length);
        if (element(element(back)) != back) {
          wrong.add(name + (given == inner ? " in a list" : ""));
        }
      } catch (UnencodableValueException e) {
        assertThat(e).hasMessageContaining(given.getClass().getName());
      }
    }
  }

  private static Object element(Object container) {
    if (container instanceof Collection<?> all) {
      return all.iterator().next();
    }
    if (container instanceof Map<?, ?> map) {
      return map.containsKey("k") ? map.get("k") : map.keySet().iterator().next();
    }
    if (container instanceof Map.Entry<?, ?> entry) {
      return entry.getValue();
    }
    if (container instanceof AtomicReference<?> reference) {
      return reference.get();
    }
    if (container instanceof AtomicReferenceArray<?> array) {
      return array.get(0);
    }
    return container instanceof Optional<?> optional
        ? optional.orElse(null)
        : ((Object[]) container)[0];
  }

  private static Object deep(UnaryOperator<Object> kind) {
    Object value = "end";
    for (int i = 0; i < DEEP; i++) {
      value = kind.apply(value);
    }
    return value;
  }

  @ParameterizedTest
  @EnumSource
  void whatNestsTooDeepIsRefused(Fallback fallback) {
    Codec<Object> codec = codec(fallback);
    kinds().forEach((name, kind) -> assertRefused(() -> codec.encode(deep(kind)), name));
    byte[] bytes = codec.encode(List.of(listOf("x")));
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(List.of(listOf("x")));
  }

  @Test
  void theStoreIsAsItWasWhenAValueWasRefused() {
    try (Rockpool store = Rockpool.at(o -> MemoryEngine.builder().build()).open()) {
      PersistentMap<String, Object> map = store.map("m", String.class, Object.class);
      PersistentDeque<Object> deque = store.deque("d", Object.class);
      PersistentCache<String, Object> cache = store.cache("c", String.class, Object.class);
      Object deep = deep(JdkCycleTest::listOf);
      map.put("k", "before");
      cache.put("k", "before");
      assertRefused(() -> map.put("k", deep), "put");
      assertRefused(() -> map.replace("k", "before", deep), "replace");
      assertRefused(() -> map.merge("k", "x", (before, x) -> deep), "merge");
      assertRefused(() -> deque.add(deep), "add");
      assertRefused(() -> cache.put("k", deep), "cache");
      assertThat(map).containsExactly(Map.entry("k", "before"));
      assertThat(cache.get("k")).isEqualTo("before");
      assertThat(deque).isEmpty();
    }
  }

  private static void assertRefused(ThrowingCallable put, String name) {
    assertThatThrownBy(put).as(name).isInstanceOf(UnencodableValueException.class);
  }
}

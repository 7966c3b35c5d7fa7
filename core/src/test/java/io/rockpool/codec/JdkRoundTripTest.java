package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.InvalidPropertiesFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every serializable class of java.base: at every place it comes back, or is refused by name. */
@Slow
class JdkRoundTripTest {
  record Box(Object held, String beside) implements Serializable {}

  /** Puts a value somewhere, and takes it from there. */
  private record Place(Function<Object, Object> put, Function<Object, Object> take) {}

  private static final Map<String, Place> PLACES = new LinkedHashMap<>();

  static {
    place("top level", x -> x, x -> x);
    place("record", x -> new Box(x, "beside"), x -> ((Box) x).held());
    place("list", x -> new ArrayList<>(Arrays.asList(x, null)), x -> ((List<?>) x).get(0));
    place("immutable list", List::of, x -> ((List<?>) x).get(0));
    place("beside null", x -> Arrays.asList(null, x), x -> ((List<?>) x).get(1));
    place("array", x -> new Object[] {null, x}, x -> ((Object[]) x)[1]);
    place("map value", x -> new TreeMap<>(Map.of("k", x)), x -> ((Map<?, ?>) x).get("k"));
    place("map key", x -> new LinkedHashMap<>(Map.of(x, 1)), x -> key((Map<?, ?>) x));
    place("optional", Optional::of, x -> ((Optional<?>) x).get());
    place("typed array", JdkRoundTripTest::arrayOf, x -> ((Object[]) x)[0]);
    place("cycle", JdkRoundTripTest::cycle, x -> ((List<?>) x).get(1));
  }

  private static void place(
      String name, Function<Object, Object> put, Function<Object, Object> take) {
    PLACES.put(name, new Place(put, take));
  }

  private static Object key(Map<?, ?> map) {
    return map.keySet().iterator().next();
  }

  private static Object arrayOf(Object x) {
    Object[] array = (Object[]) java.lang.reflect.Array.newInstance(x.getClass(), 1);
    array[0] = x;
    return array;
  }

  private static Object cycle(Object x) {
    List<Object> list = new ArrayList<>();
    list.add(list);
    list.add(x);
    return list;
  }

  /** What is no value: it does something, stands for a thing of this process, or cannot be read. */
  private static final Set<String> REFUSED =
      Set.of(
          "java.io.SerializablePermission",
          "java.lang.RuntimePermission",
          "java.lang.reflect.ReflectPermission",
          "java.net.NetPermission",
          "java.net.URL",
          "java.security.AllPermission",
          "java.security.Permissions",
          "java.security.SecureRandom",
          "java.security.SecurityPermission",
          "java.util.EventObject",
          "java.util.InvalidPropertiesFormatException",
          "java.util.Random",
          "java.util.concurrent.ConcurrentSkipListMap$KeySet",
          "java.util.concurrent.Semaphore",
          "java.util.concurrent.SynchronousQueue",
          "java.util.concurrent.locks.ReentrantReadWriteLock",
          "java.util.concurrent.locks.StampedLock");

  /** With the JDK's serialization alone. */
  private static final Set<String> REFUSED_BY_JDK =
      Set.of(
          "java.util.ArrayList$SubList",
          "java.util.ImmutableCollections$SubList",
          "java.util.KeyValueHolder",
          "java.util.Optional",
          "sun.nio.cs.UTF_8");

  @ParameterizedTest
  @EnumSource
  void everyClassComesBackOrIsRefusedByName(Fallback fallback) throws Exception {
    List<Object> all = instances();
    assertThat(all).hasSizeGreaterThan(350);
    Codecs codecs = Codecs.builder().fallback(fallback).allow(Box.class).build();
    Codec<Object> writer = codecs.valueCodec(TypeRef.of(Object.class));
    Codec<Object> reader = codecs.valueCodec(TypeRef.of(Object.class)); // as after a restart
    Set<String> refused = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    for (Object value : all) {
      boolean large = value instanceof Collection<?> c && c.size() > 1_000;
      if (large && fallback == Fallback.JAVA_SERIALIZATION) {
        continue; // More slots than its filter grants so few bytes.
      }
      int places = value instanceof Throwable ? 3 : PLACES.size(); // There are 200 of these.
      for (Map.Entry<String, Place> place : PLACES.entrySet().stream().limit(places).toList()) {
        String found = tryAt(place.getValue(), value, writer, reader);
        if (found.equals("refused")) {
          refused.add(value.getClass().getName());
        } else if (!found.equals("kept")) {
          wrong.add(value.getClass().getName() + " as " + place.getKey() + ": " + found);
        }
      }
    }
    assertThat(wrong).isEmpty();
    if (fallback == Fallback.FORY) {
      assertThat(refused).containsExactlyInAnyOrderElementsOf(REFUSED);
    } else {
      refused.removeAll(REFUSED);
      assertThat(REFUSED_BY_JDK).containsAll(refused);
    }
  }

  static List<Object> instances() throws Exception {
    List<Object> all = new ArrayList<>(JdkInstances.special());
    for (Class<?> type : JdkInstances.serializableClasses()) {
      Object made = JdkInstances.make(type);
      if (made != null) {
        all.add(made);
      }
    }
    return all;
  }

  /** As after a restart, and as by a thread that reads while others do. */
  @Test
  void everyClassIsReadByWhatHasNeitherReadNorWrittenBefore() throws Exception {
    Codecs codecs = Codecs.builder().allow(Box.class).build();
    Codec<Object> writer = codecs.valueCodec(TypeRef.of(Object.class));
    IdentityHashMap<Box, byte[]> written = new IdentityHashMap<>();
    for (Object value : instances()) {
      Box box = new Box(value, "beside");
      try {
        written.put(box, writer.encode(box));
      } catch (UnencodableValueException e) {
        assertThat(REFUSED).contains(value.getClass().getName());
      }
    }
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    written.forEach(
        (box, bytes) -> {
          String found = read(box, bytes, codecs.valueCodec(TypeRef.of(Object.class)));
          if (!found.equals("kept")) {
            wrong.add(box.held().getClass().getName() + ": " + found);
          }
        });
    assertThat(wrong).isEmpty();
    Codec<Object> shared = codecs.valueCodec(TypeRef.of(Object.class));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () ->
                  written.forEach(
                      (box, bytes) -> {
                        String found = read(box, bytes, shared);
                        if (!found.equals("kept")) {
                          wrong.add(box.held().getClass().getName() + ": " + found);
                        }
                      })));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).isEmpty();
  }

  private static String read(Box box, byte[] bytes, Codec<Object> reader) {
    try {
      Object back = ((Box) reader.decode(bytes, 0, bytes.length)).held();
      return same(box.held(), back) ? "kept" : box.held() + " came back as " + back;
    } catch (Exception e) {
      return "unreadable: " + e;
    }
  }

  private static String tryAt(
      Place place, Object value, Codec<Object> writer, Codec<Object> reader) {
    Object put = place.put().apply(value);
    byte[] bytes;
    try {
      bytes = writer.encode(put);
    } catch (UnencodableValueException e) {
      boolean named =
          e.getMessage().contains(value.getClass().getName())
              || (put instanceof Optional && e.getMessage().contains("java.util.Optional"))
              || value instanceof InvalidPropertiesFormatException; // the JDK does not say which
      return named ? (put instanceof Optional ? "kept" : "refused") : e.getMessage();
    }
    try {
      Object back = place.take().apply(reader.decode(bytes, 0, bytes.length));
      return same(value, back) ? "kept" : value + " came back as " + back;
    } catch (Exception e) {
      return "unreadable: " + e;
    }
  }

  static boolean same(Object a, Object b) throws IOException {
    if (b == null || a.getClass() != b.getClass()) {
      return false;
    }
    if (a instanceof Object[] || a.getClass().isArray()) {
      return Objects.deepEquals(a, b);
    }
    if (a instanceof Throwable t) {
      return trace(t).equals(trace((Throwable) b));
    }
    if (a.equals(b)) {
      return true;
    }
    if (a instanceof Collection<?> c) {
      return Arrays.equals(c.toArray(), ((Collection<?>) b).toArray());
    }
    return a instanceof Serializable && Arrays.equals(serialized(a), serialized(b));
  }

  private static String trace(Throwable t) {
    StringWriter out = new StringWriter();
    t.printStackTrace(new PrintWriter(out));
    return out.toString();
  }

  private static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }
}

package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Timer;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Instances of all public types of some modules of the JDK, as value, element, field and key: each
 * comes back, or is refused by a message whose advice, which the test follows, works or says that
 * nothing does.
 */
@Slow
class AdviceTest {
  private static final Pattern ALLOW =
      Pattern.compile("\\.allow\\((?:([\\w.$]+)\\.class|Class\\.forName\\(\"([\\w.$]+)\"\\))\\)");
  private static final Pattern COPY = Pattern.compile("Store a copy, such as new ([\\w.]+)<>");
  private static final int MOST_ADVICE = 8;

  record Box(Object held, String beside) implements Serializable {}

  private static List<Class<?>> types() throws IOException {
    List<Class<?>> types = new ArrayList<>(JdkInstances.publicTypes());
    types.addAll(JdkInstances.publicTypes("java.sql", "java"));
    types.addAll(JdkInstances.publicTypes("java.sql", "javax"));
    types.addAll(JdkInstances.publicTypes("java.logging", "java"));
    types.addAll(JdkInstances.publicTypes("java.naming", "javax"));
    types.addAll(JdkInstances.publicTypes("java.net.http", "java"));
    return types;
  }

  private static List<Object> instances() throws Exception {
    List<Object> all = new ArrayList<>(JdkInstances.special());
    for (Class<?> type : types()) {
      boolean acts = AutoCloseable.class.isAssignableFrom(type) || type == Timer.class;
      if (!acts && !type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
        Object made = JdkInstances.make(type);
        if (made != null) {
          all.add(made);
        }
      }
    }
    all.addAll(views(new HashMap<>(Map.of("a", 1))));
    all.addAll(views(new LinkedHashMap<>(Map.of("a", 1))));
    all.addAll(views(new TreeMap<>(Map.of("a", 1, "b", 2))));
    all.addAll(views(new ConcurrentHashMap<>(Map.of("a", 1))));
    all.addAll(views(new ConcurrentSkipListMap<>(Map.of("a", 1, "b", 2))));
    all.addAll(views(Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1)))));
    all.addAll(views(Map.of("a", 1)));
    all.add(new TreeMap<>(Map.of("a", 1, "b", 2)).subMap("a", "b"));
    all.add(new TreeMap<>(Map.of("a", 1, "b", 2)).descendingMap());
    all.add(new TreeSet<>(List.of(1, 2)).headSet(2));
    Set<Object> concurrent = ConcurrentHashMap.newKeySet();
    concurrent.addAll(List.of("a", new Box(1, "b")));
    all.add(concurrent);
    all.add(Stream.of(1, 2, 3).collect(Collectors.partitioningBy(i -> i > 1)));
    all.add(new WeakHashMap<>(Map.of("a", 1)));
    return all;
  }

  private static List<Object> views(Map<String, Integer> map) {
    return List.of(map.keySet(), map.values(), map.entrySet());
  }

  @ParameterizedTest
  @EnumSource
  void theAdviceForValuesWorks(Fallback fallback) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Object value : instances()) {
      if (value instanceof Collection<?> c && c.size() > 1_000) {
        continue; // The filter of the JDK's serialization grants fewer slots to so few bytes.
      }
      for (UnaryOperator<Object> place :
          List.<UnaryOperator<Object>>of(
              x -> x, x -> new ArrayList<>(Arrays.asList(x)), x -> new Box(x, "beside"))) {
        String found = follow(fallback, value, place);
        if (found != null) {
          wrong.add(value.getClass().getName() + ": " + found);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Returns what is wrong, or null. */
  private static String follow(Fallback fallback, Object value, UnaryOperator<Object> place)
      throws Exception {
    Codecs.Builder builder = Codecs.builder().allow(Box.class).fallback(fallback);
    Object stored = value;
    String advice = "";
    for (int i = 0; i < MOST_ADVICE; i++) {
      Codecs codecs = builder.build();
      Object put = place.apply(stored);
      try {
        byte[] bytes = codec(codecs).encode(put);
        Object back = codec(codecs).decode(bytes, 0, bytes.length);
        Object held =
            put == stored
                ? back
                : put instanceof Box ? ((Box) back).held() : ((List<?>) back).get(0);
        boolean hasNoState = stored.getClass() == Object.class && held.getClass() == Object.class;
        return hasNoState || JdkRoundTripTest.same(stored, held)
            ? null
            : stored + " came back as " + held;
      } catch (UnencodableValueException e) {
        String message = e.getMessage();
        if (message.equals(advice)) {
          return "the advice does not help: " + message;
        }
        advice = message;
        Matcher allow = ALLOW.matcher(message);
        Matcher copy = COPY.matcher(message);
        if (allow.find()) {
          builder.allow(named(allow.group(1) != null ? allow.group(1) : allow.group(2)));
        } else if (copy.find()) {
          if (!message.contains(value.getClass().getName())) {
            return null; // The JDK holds it inside of the value, which so cannot be stored.
          }
          stored = copy(Class.forName(copy.group(1)), value);
        } else {
          return message.contains("Store something else in its place")
                  || message.contains("is a charset that not every JDK has")
              ? null
              : "no advice: " + message;
        }
      }
    }
    return "too much advice: " + advice;
  }

  /** A canonical name has a dot in front of the name of a nested class. */
  private static Class<?> named(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      int dot = name.lastIndexOf('.');
      if (dot < 0) {
        throw e;
      }
      return named(name.substring(0, dot) + '$' + name.substring(dot + 1));
    }
  }

  private static Object copy(Class<?> type, Object of) throws ReflectiveOperationException {
    for (Class<?> parameter :
        List.of(SortedMap.class, SortedSet.class, Map.class, Collection.class)) {
      if (parameter.isInstance(of)) {
        try {
          return type.getConstructor(parameter).newInstance(of);
        } catch (NoSuchMethodException e) {
          // Another constructor does.
        }
      }
    }
    throw new IllegalStateException("no new " + type + " of " + of.getClass());
  }

  private static Codec<Object> codec(Codecs codecs) {
    return codecs.valueCodec(TypeRef.of(Object.class));
  }

  @Test
  void theAdviceForKeysWorks() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Object key : instances()) {
      for (boolean inCache : List.of(true, false)) {
        TypeRef<Object> any = TypeRef.of(Object.class);
        Codecs codecs = Codecs.builder().allow(Box.class).build();
        try {
          Codec<Object> codec = inCache ? codecs.cacheKeyCodec(any) : codecs.keyCodec(any);
          byte[] bytes = codec.encode(key);
          Object back = codec.decode(bytes, 0, bytes.length);
          if (!Objects.deepEquals(key, back)) {
            wrong.add(key.getClass() + ": came back as " + back);
          }
        } catch (UnencodableValueException e) {
          if (!e.getMessage().contains("Use what identifies it")
              && !e.getMessage().contains("Use the class or interface")) {
            wrong.add(key.getClass() + ": " + e.getMessage());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}

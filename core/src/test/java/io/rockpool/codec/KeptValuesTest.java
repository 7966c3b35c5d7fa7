package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.error.UnencodableValueException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kotlin.Unit;
import kotlin.coroutines.EmptyCoroutineContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that people have stored: each comes back equal, or its refusal says what to do. */
class KeptValuesTest {
  private static final String NAME_IT = "Store its name";

  /** As Spring Security's registrations: a public class, and state in private nested ones. */
  @SuppressWarnings("ClassCanBeStatic") // as in applications
  public static class Registration implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String id;
    private final Details details = new Details();
    private final Details.Inner inner = details.new Inner(7);

    Registration(String id) {
      this.id = id;
    }

    private final class Details implements Serializable {
      private static final long serialVersionUID = 1L;
      private String uri = "u";

      private final class Inner implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number;

        private Inner(int number) {
          this.number = number;
        }
      }
    }

    public static final class Nested implements Serializable {
      private static final long serialVersionUID = 1L;
      private final Class<?> type;

      Nested(Class<?> type) {
        this.type = type;
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Nested that && type == that.type;
      }

      @Override
      public int hashCode() {
        return Objects.hash(type);
      }
    }

    public final class Part implements Serializable {
      private static final long serialVersionUID = 1L;
      private final int number = 3;

      @Override
      public boolean equals(Object other) {
        return other instanceof Part that && number == that.number && id.equals(that.owner().id);
      }

      @Override
      public int hashCode() {
        return number;
      }

      private Registration owner() {
        return Registration.this;
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Registration that
          && id.equals(that.id)
          && details.uri.equals(that.details.uri)
          && inner.number == that.inner.number;
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  /** The parent of messages of protobuf, which remembers a size that was asked for. */
  static class Sized {
    int size = -1;
  }

  /** As messages of protobuf: written as an object that has their class and bytes. */
  static final class Message extends Sized implements Serializable {
    private static final long serialVersionUID = 1L;
    private final transient String text;

    Message(String text) {
      this.text = text;
    }

    private Object writeReplace() {
      size = text.length();
      return new Form(Message.class, text);
    }

    private record Form(Class<?> type, String text) implements Serializable {
      private Object readResolve() {
        return new Message(text);
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Message that && Objects.equals(text, that.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  record Box(Object held, Class<?> type) implements Serializable {}

  private static final List<Class<?>> ALLOWED =
      List.of(
          Box.class,
          Registration.class,
          Registration.Details.class,
          Registration.Details.Inner.class,
          Registration.Nested.class,
          Registration.Part.class,
          Message.class,
          Message.Form.class,
          Unit.class,
          EmptyCoroutineContext.class);

  static final class NotAllowed {}

  /** Each value, with what its refusal says; an empty text if it comes back. */
  @SuppressWarnings("IdentityHashMapUsage") // equal values are several
  private static Map<Object, String> values() {
    Map<Object, String> all = new IdentityHashMap<>();
    Map<String, Integer> tree = new TreeMap<>(Map.of("a", 1, "b", 2));
    Set<String> some = new HashSet<>(List.of("a", "b"));
    Set<String> concurrent = ConcurrentHashMap.newKeySet();
    concurrent.addAll(some);
    Set<String> ofMap = Collections.newSetFromMap(new ConcurrentHashMap<>());
    ofMap.addAll(some);
    List<Object> kept =
        List.of(
            String.class,
            int.class,
            int[].class,
            String[][].class,
            Box.class,
            Box[].class,
            Map.Entry.class,
            Registration.Nested.class,
            Map.of(String.class, 1),
            new HashMap<>(Map.of(Box.class, Box.class)),
            new Class<?>[] {Box.class, int.class},
            new Box("x", Box.class),
            new Registration("id"),
            new Registration.Nested(Box.class),
            new Message("m"),
            Unit.INSTANCE,
            EmptyCoroutineContext.INSTANCE,
            concurrent,
            ofMap,
            Collections.unmodifiableSet(some),
            Collections.synchronizedList(new ArrayList<>(some)),
            Collections.checkedMap(new HashMap<>(Map.of("a", 1)), String.class, Integer.class),
            Collections.unmodifiableNavigableSet(new TreeSet<>(some)),
            Arrays.asList("a", null),
            new ArrayList<>(List.of(1, 2, 3)).subList(1, 2),
            IntStream.range(0, 3).boxed().collect(Collectors.groupingBy(i -> i % 2 == 0)));
    kept.forEach(value -> all.put(value, ""));
    all.put(new Registration("id").new Part(), "Declare it static, as a record, or not public");
    all.put(Thread.class, NAME_IT);
    all.put(Runtime[].class, NAME_IT);
    all.put(NotAllowed.class, "allow(Class.forName(\"" + NotAllowed.class.getName() + "\")");
    all.put(new Box("x", Process.class), NAME_IT);
    all.put(IntStream.range(0, 3).boxed().collect(Collectors.partitioningBy(i -> i > 1)), "copy");
    ConcurrentMap<String, Integer> skipping = new ConcurrentSkipListMap<>(tree);
    for (Map<String, Integer> map :
        List.of(
            new HashMap<>(tree),
            new LinkedHashMap<>(tree),
            tree,
            new ConcurrentSkipListMap<>(tree).subMap("a", "b"))) {
      all.put(map.keySet(), "Store a copy, such as new java.util.");
      all.put(map.values(), "Store a copy, such as new java.util.");
      all.put(map.entrySet(), "Store a copy, such as new java.util.");
    }
    all.put(((TreeMap<String, Integer>) tree).headMap("b"), "Store a copy, such as new java.util.");
    all.put(skipping.values(), "Store a copy, such as new java.util.ArrayList");
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void eachComesBackOrIsRefusedWithAWayOut(Fallback fallback) {
    Codecs codecs =
        Codecs.builder().fallback(fallback).allow(ALLOWED.toArray(Class<?>[]::new)).build();
    Codec<Object> writer = codecs.valueCodec(TypeRef.of(Object.class));
    Codec<Object> reader = codecs.valueCodec(TypeRef.of(Object.class)); // as after a restart
    List<String> wrong = new ArrayList<>();
    values()
        .forEach(
            (value, refusal) -> {
              for (UnaryOperator<Object> place :
                  List.<UnaryOperator<Object>>of(
                      x -> x, x -> new Box(x, null), x -> new ArrayList<>(Arrays.asList(x)))) {
                String found = store(writer, reader, place.apply(value), value);
                boolean ofJdk = fallback == Fallback.JAVA_SERIALIZATION;
                boolean right =
                    refusal.isEmpty()
                        ? found.isEmpty() || (ofJdk && isOnlyForFory(value))
                        : found.contains(refusal)
                            || (ofJdk && mayDiffer(value, found))
                            || (value instanceof Registration.Part && found.isEmpty()); // JDK 25
                if (!right || found.contains("allowPackage(\"java")) {
                  wrong.add(value.getClass() + " " + value + ": " + found);
                }
              }
            });
    assertThat(wrong).isEmpty();
  }

  /** What is not serializable. */
  private static boolean isOnlyForFory(Object value) {
    return value == Unit.INSTANCE || value.getClass().getName().endsWith("SubList");
  }

  /** The JDK writes the name of any class. */
  private static boolean mayDiffer(Object value, String found) {
    return found.contains("Store something else in its place")
        || value instanceof Class
        || value instanceof Box
        || found.isEmpty();
  }

  /** Returns the text of a refusal, or empty if the value came back. */
  private static String store(
      Codec<Object> writer, Codec<Object> reader, Object put, Object value) {
    byte[] bytes;
    try {
      bytes = writer.encode(put);
    } catch (UnencodableValueException e) {
      return e.getMessage();
    }
    Object back = reader.decode(bytes, 0, bytes.length);
    if (put != value) {
      back = back instanceof Box box ? box.held() : ((List<?>) back).get(0);
    }
    boolean isKotlin = value.getClass().getName().startsWith("kotlin.");
    boolean same = isKotlin ? back == value : Objects.deepEquals(plain(value), plain(back));
    return same && back.getClass() == value.getClass() ? "" : "came back as " + back;
  }

  /** Synchronized wrappers compare by what they hold, and some views by identity. */
  private static Object plain(Object value) {
    return value instanceof List<?> list ? new ArrayList<>(list) : value;
  }

  @ParameterizedTest
  @EnumSource
  void aStoreLearnsTheClassesThatValuesHold(Fallback fallback) {
    LearnedClassTest.Catalog catalog = new LearnedClassTest.Catalog();
    Codecs codecs = Codecs.builder().fallback(fallback).build().learningIn(catalog);
    Codec<Object> writer = codecs.valueCodec(TypeRef.of(Object.class));
    List<Object> value = new ArrayList<>(List.of(NotAllowed.class, new Message("m")));
    byte[] bytes = writer.encode(value);
    assertThat(catalog.names).contains(NotAllowed.class.getName(), Message.class.getName());
    Object back = codecs.valueCodec(TypeRef.of(Object.class)).decode(bytes, 0, bytes.length);
    assertThat(back).isEqualTo(value);
  }
}

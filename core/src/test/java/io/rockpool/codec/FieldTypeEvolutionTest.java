package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A field of another declared type than when its value was written: right or refused by name. */
@Slow
class FieldTypeEvolutionTest {
  /** What may be declared, and instances of it. */
  private static final Map<String, List<String>> TYPES = new LinkedHashMap<>();

  static {
    TYPES.put("int", List.of("0", "7"));
    TYPES.put("long", List.of("7L", "1L << 40"));
    TYPES.put("double", List.of("7.0", "0.5"));
    TYPES.put("boolean", List.of("true"));
    TYPES.put("char", List.of("'7'"));
    TYPES.put("Integer", List.of("7", "null"));
    TYPES.put("Long", List.of("7L", "null"));
    TYPES.put("Number", List.of("7", "7L", "1.5"));
    TYPES.put("Object", List.of("7", "\"s\"", "Kind.A", "new Dot()", "new Rec(1)", "List.of(1)"));
    TYPES.put("Comparable", List.of("7", "\"s\"", "Kind.A"));
    TYPES.put("CharSequence", List.of("\"s\"", "new StringBuilder(\"b\")"));
    TYPES.put("String", List.of("\"7\"", "\"\"", "null"));
    TYPES.put("Kind", List.of("Kind.A", "Kind.B", "null"));
    TYPES.put("Other", List.of("Other.B"));
    TYPES.put("List", List.of("new ArrayList<>(List.of(1))", "List.of(\"a\")"));
    TYPES.put("Collection", List.of("new ArrayList<>(List.of(1))", "Set.of(\"a\")"));
    TYPES.put("ArrayList<Integer>", List.of("new ArrayList<>(List.of(1))"));
    TYPES.put("List<Integer>", List.of("new ArrayList<>(List.of(1, 2))", "List.of(3)"));
    TYPES.put("List<Number>", List.of("new ArrayList<>(List.of(1, 2L))", "List.of(3)"));
    TYPES.put("List<Object>", List.of("new ArrayList<>(List.of(1, \"a\"))", "List.of(3)"));
    TYPES.put("List<Shape>", List.of("new ArrayList<>(List.of(new Dot(), new Rec(2)))"));
    TYPES.put("List<Rec>", List.of("new ArrayList<>(List.of(new Rec(2)))"));
    TYPES.put("Map<String, Integer>", List.of("new HashMap<>(Map.of(\"a\", 1))"));
    TYPES.put("Map<Object, Integer>", List.of("new HashMap<>(Map.of(2, 1))"));
    TYPES.put("Dot", List.of("new Dot()", "null"));
    TYPES.put("Open", List.of("new Open()", "new Wide()"));
    TYPES.put("Wide", List.of("new Wide()"));
    TYPES.put("Shape", List.of("new Dot()", "new Rec(3)", "new Open()"));
    TYPES.put("Rec", List.of("new Rec(1)"));
    TYPES.put("Twin", List.of("new Twin(1)"));
    TYPES.put("int[]", List.of("new int[] {1, 2}"));
    TYPES.put("byte[]", List.of("new byte[] {1, 2}"));
    TYPES.put("Integer[]", List.of("new Integer[] {1, null}"));
    TYPES.put("Number[]", List.of("new Number[] {1, 2L}", "new Integer[] {1}"));
    TYPES.put("Object[]", List.of("new Object[] {1, \"a\"}", "new String[] {\"a\"}"));
    TYPES.put("Optional<String>", List.of("Optional.of(\"a\")", "Optional.empty()"));
    TYPES.put("Optional<Integer>", List.of("Optional.of(1)"));
    TYPES.put("java.time.Instant", List.of("java.time.Instant.EPOCH"));
    TYPES.put("java.math.BigDecimal", List.of("new java.math.BigDecimal(\"1.5\")"));
  }

  private static final String SOURCE =
      """
      public class Main {
        public record AsRecord(T held, int last) implements Serializable {}
        public static class AsClass implements Serializable {
          private static final long serialVersionUID = 1;
          private T held; int last = 5;
        }
        public enum Kind { A, B }
        public enum Other { B, A }
        public interface Shape extends Serializable {}
        public static final class Dot implements Shape {
          private static final long serialVersionUID = 1; int x = 4;
        }
        public static class Open implements Shape {
          private static final long serialVersionUID = 1; int y = 4;
        }
        public static class Wide extends Open {
          private static final long serialVersionUID = 1; String z = "z";
        }
        public record Rec(int x) implements Shape {}
        public record Twin(int x) implements Shape {}
        public static Object make() {
          List<T> all = new ArrayList<>();
          INSTANCES
          List<Object> made = new ArrayList<>();
          for (T each : all) {
            AsClass one = new AsClass();
            one.held = each;
            made.add(new AsRecord(each, 5));
            made.add(one);
            made.add(new ArrayList<>(List.of(new AsRecord(each, 5), new AsRecord(each, 6))));
            made.add(new ArrayList<>(List.of(one)));
          }
          return made;
        }
      }
      """;

  private static final Map<String, String> BOXES =
      Map.of(
          "int",
          "Integer",
          "long",
          "Long",
          "double",
          "Double",
          "boolean",
          "Boolean",
          "char",
          "Character");

  /** Types that differ in name alone. */
  private static final Set<List<String>> EQUIVALENT =
      Set.of(List.of("List", "List<Object>"), List.of("List<Object>", "List"));

  /** Types of which each value is one of the other: read as such, but not within a record. */
  private static final Set<List<String>> WIDENED =
      Set.of(
          List.of("int", "long"),
          List.of("int", "Integer"),
          List.of("int", "Long"),
          List.of("long", "Long"),
          List.of("Integer", "Long"));

  private static SourceLoader version(String type) {
    StringBuilder instances = new StringBuilder();
    TYPES.get(type).forEach(each -> instances.append("{ T v = " + each + "; all.add(v); }\n"));
    String source =
        SOURCE
            .replace("INSTANCES", instances)
            .replace("List<T>", "List<" + BOXES.getOrDefault(type, type) + ">");
    return new SourceLoader(source.replaceAll("\\bT\\b", Matcher.quoteReplacement(type)));
  }

  private static Codec<Object> codec(SourceLoader loader, Fallback fallback) {
    return Codecs.builder()
        .classLoader(loader)
        .fallback(fallback)
        .allowPackage("app")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  /** A value as it was written: its bytes, and all that is in it as text. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Written(byte[] bytes, String text) {}

  private static List<Written> write(SourceLoader version, Fallback fallback) throws Exception {
    Codec<Object> codec = codec(version, fallback);
    List<Written> all = new ArrayList<>();
    for (Object value : (List<?>) version.make()) {
      try {
        all.add(new Written(codec.encode(value), text(value)));
      } catch (UnencodableValueException e) {
        assertThat(fallback).isEqualTo(Fallback.JAVA_SERIALIZATION); // which has no Optional
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void aValueIsReadAsItWasOrRefusedByName(Fallback fallback) throws Exception {
    Map<String, SourceLoader> versions = new LinkedHashMap<>();
    Map<String, List<Written>> written = new LinkedHashMap<>();
    for (String type : TYPES.keySet()) {
      versions.put(type, version(type));
      written.put(type, write(versions.get(type), fallback));
    }
    List<String> wrong = new ArrayList<>();
    for (String to : TYPES.keySet()) {
      Codec<Object> codec = codec(versions.get(to), fallback);
      for (String from : TYPES.keySet()) {
        for (Written value : written.get(from)) {
          String found = read(codec, value, List.of(from, to), fallback);
          if (!found.isEmpty()) {
            wrong.add(from + " -> " + to + ": " + value.text() + " " + found);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Returns what is wrong; empty if nothing is. */
  private static String read(
      Codec<Object> codec, Written value, List<String> change, Fallback fallback) {
    boolean same = change.get(0).equals(change.get(1)) || EQUIVALENT.contains(change);
    boolean widened = fallback == Fallback.FORY && WIDENED.contains(change);
    try {
      String text = text(codec.decode(value.bytes(), 0, value.bytes().length));
      boolean right = text.equals(value.text());
      return right || (widened && digits(text).equals(digits(value.text()))) ? "" : "is " + text;
    } catch (UndecodableValueException e) {
      String message = String.valueOf(e.getMessage());
      if (same || (widened && !value.text().contains("AsRecord"))) {
        return "is refused: " + message;
      }
      boolean named = message.contains("'held'") && message.contains("app.Main$As");
      return named || fallback == Fallback.JAVA_SERIALIZATION ? "" : "is refused with " + message;
    } catch (Throwable e) { // which no decode may let out
      return "throws " + e;
    }
  }

  private static String digits(String text) {
    return text.replaceAll("Integer:|Long:", "");
  }

  private static String text(Object value) throws IllegalAccessException {
    if (value == null) {
      return "null";
    }
    Class<?> type = value.getClass();
    List<String> parts = new ArrayList<>();
    if (type.isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        parts.add(text(Array.get(value, i)));
      }
    } else if (value instanceof Collection<?> elements) {
      for (Object element : elements) {
        parts.add(text(element));
      }
      return (value instanceof List ? "List" : type.getSimpleName()) + parts;
    } else if (value instanceof Optional<?> optional) {
      return "Optional(" + text(optional.orElse(null)) + ')';
    } else if (value instanceof Map<?, ?> map) {
      Map<String, String> entries = new TreeMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entries.put(text(entry.getKey()), text(entry.getValue()));
      }
      return "Map" + entries;
    } else if (type.getName().startsWith("app.") && !type.isEnum()) {
      for (Class<?> c = type; c.getName().startsWith("app."); c = c.getSuperclass()) {
        for (Field field : c.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            parts.add(field.getName() + '=' + text(field, value));
          }
        }
      }
    } else {
      return type.getSimpleName() + ':' + value;
    }
    return type.getSimpleName() + parts;
  }

  private static String text(Field field, Object of) throws IllegalAccessException {
    field.setAccessible(true);
    Object value = field.get(of);
    boolean fits =
        value == null || field.getType().isPrimitive() || field.getType().isInstance(value);
    return fits ? text(value) : value.getClass() + " in a field of " + field.getType();
  }

  private static void assertRefused(String from, String to, Fallback fallback, String... named)
      throws IllegalAccessException {
    SourceLoader before = new SourceLoader(from);
    Object value = before.make();
    byte[] bytes = codec(before, fallback).encode(value);
    Codec<Object> same = codec(new SourceLoader(from), fallback);
    assertThat(text(same.decode(bytes, 0, bytes.length))).isEqualTo(text(value));
    Codec<Object> after = codec(new SourceLoader(to), fallback);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> after.decode(bytes, 0, bytes.length))
          .isInstanceOf(UndecodableValueException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains(named));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Number", "Comparable", "String", "Integer", "Shape"})
  void aFieldOfAClassWithSerializationCodeOrElements(String to) throws Exception {
    String source =
        """
        public class Main extends PARENT implements Serializable {
          private static final long serialVersionUID = 1;
          public interface Shape extends Serializable {}
          private Object held;
          CODE
          public static Object make() { Main m = new Main(); m.held = 7L; return m; }
        }
        """;
    String code =
        """
        private void writeObject(ObjectOutputStream out) throws IOException {
          out.defaultWriteObject();
        }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
          in.defaultReadObject();
        }
        """;
    List<String> versions =
        List.of(
            source.replace("PARENT", "Object").replace("CODE", code),
            source.replace("PARENT", "ArrayList<String>").replace("CODE", ""),
            source.replace("PARENT", "HashMap<String, String>").replace("CODE", ""));
    for (String from : versions) {
      String narrowed =
          from.replace("Object held", to + " held").replace("m.held = 7L;", "m.held = null;");
      assertRefused(from, narrowed, Fallback.FORY, "'held'", "app.Main");
    }
  }

  @Test
  void aClassThatIsNoLongerOfTheDeclaredType() throws Exception {
    String from =
        """
        public record Main(Shape held, Open open) implements Serializable {
          public interface Round extends Serializable {}
          public interface Shape extends Serializable {}
          public static class Dot implements Shape { int x = 4; }
          public static class Open implements Round { int x = 4; }
          public static class Wide extends Open { int z = 5; }
          public static Object make() { return new Main(MADE); }
        }
        """;
    String first = from.replace("MADE", "new Dot(), null");
    String second = from.replace("MADE", "null, new Wide()");
    String neither = from.replace("MADE", "null, null");
    assertRefused(first, neither.replace("implements Shape", ""), Fallback.FORY, "app.Main$Dot");
    assertRefused(second, neither.replace("extends Open", ""), Fallback.FORY, "app.Main$Wide");
  }

  @Test
  void anEnumThatBecomesARecord() throws Exception {
    String from =
        """
        public record Main(List<Kind> held) implements Serializable {
          public enum Kind { A }
          public static Object make() { return new Main(new ArrayList<>(List.of(Kind.A))); }
        }
        """;
    String to =
        """
        public record Main(List<Kind> held) implements Serializable {
          public record Kind(int x) {}
        }
        """;
    assertRefused(from, to, Fallback.FORY, "app.Main", "'held'");
  }
}

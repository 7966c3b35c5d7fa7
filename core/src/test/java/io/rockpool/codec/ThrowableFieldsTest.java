package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Classes that declare fields of throwable types: with null, and with an instance. */
@Slow
class ThrowableFieldsTest {
  private static final String FIELDS = "T one#, List<T> list#, Map<String, T> map#, T[] array#";

  /** Few classes with many fields: code is generated for each. */
  private static final int TYPES_OF_A_RECORD = 25;

  /** Fory's generated code for a class is checked for each of these types. */
  private static List<Class<?>> types() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (Class<?> type : JdkInstances.serializableClasses()) {
      if (Throwable.class.isAssignableFrom(type)) {
        types.add(type);
      }
    }
    types.add(StackTraceElement.class);
    return types;
  }

  private static Codec<Object> codec(ClassLoader loader) {
    return Codecs.builder()
        .classLoader(loader)
        .allowPackage("app")
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  private static Object instance(Class<?> type) {
    return type == StackTraceElement.class
        ? new StackTraceElement("a.B", "c", "B.java", 7)
        : JdkInstances.make(type);
  }

  @Test
  void everyTypeOfTheJdkCanBeDeclared() throws Exception {
    List<Class<?>> types = types();
    assertThat(types).hasSizeGreaterThan(150);
    StringBuilder source = new StringBuilder("public class Main {");
    List<List<Class<?>>> records = new ArrayList<>();
    for (int i = 0; i < types.size(); i += TYPES_OF_A_RECORD) {
      List<Class<?>> some = types.subList(i, Math.min(types.size(), i + TYPES_OF_A_RECORD));
      source.append("\npublic record R" + records.size() + "(String s");
      for (int j = 0; j < some.size(); j++) {
        String fields = FIELDS.replaceAll("\\bT\\b", some.get(j).getCanonicalName());
        source.append(", " + fields.replace("#", "" + j));
      }
      source.append(") {}");
      records.add(some);
    }
    SourceLoader loader = new SourceLoader(source.append("}").toString());
    Codec<Object> writer = codec(loader);
    Codec<Object> reader = codec(loader); // as after a restart
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      Constructor<?> record = loader.named("app.Main$R" + i).getDeclaredConstructors()[0];
      for (Object value : List.of(nulls(record), full(record, records.get(i)))) {
        try {
          byte[] bytes = writer.encode(value);
          Object back = reader.decode(bytes, 0, bytes.length);
          if (!components(back).equals(components(value))) {
            wrong.add(records.get(i) + ": " + components(back));
          }
        } catch (RuntimeException e) {
          wrong.add(records.get(i) + ": " + e);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static Object nulls(Constructor<?> record) throws Exception {
    return record.newInstance(new Object[record.getParameterCount()]);
  }

  private static Object full(Constructor<?> record, List<Class<?>> types) throws Exception {
    List<Object> components = new ArrayList<>(List.of("s"));
    for (Class<?> type : types) {
      Object x = instance(type);
      if (x == null || type.getName().equals("java.util.InvalidPropertiesFormatException")) {
        components.addAll(Arrays.asList(null, null, null, null)); // which refuses to be serialized
      } else {
        Object array = Array.newInstance(type, 1);
        Array.set(array, 0, x);
        components.addAll(List.of(x, List.of(x), Map.of("k", x), array));
      }
    }
    return record.newInstance(components.toArray());
  }

  /** Throwables have no equals. */
  private static List<Object> components(Object record) throws Exception {
    List<Object> components = new ArrayList<>();
    for (var component : record.getClass().getRecordComponents()) {
      Object held = component.getAccessor().invoke(record);
      components.add(held instanceof Object[] array ? List.of(array).toString() : "" + held);
    }
    return components;
  }

  private static final String WITH =
      """
      public class Main {
        public static class Fault extends Exception { public Fault() { super("f"); } }
        public static class Base<T> { T held; List<T> all; }
        public static class Sub extends Base<Fault> { String name = "n"; }
        public static class Faults extends ArrayList<Fault> { String name = "n"; }
        public static class ByName extends HashMap<String, Fault> { Fault last; }
        public static final class Last extends RuntimeException {}
        public record Final(Last last, List<Last> list, String s) {}
        public record Written(Fault fault, RuntimeException r, Last last, String s) {}
        public static List<Object> all() {
          Sub sub = new Sub();
          sub.held = new Fault();
          sub.all = List.of(sub.held);
          Faults faults = new Faults();
          faults.add(new Fault());
          ByName byName = new ByName();
          byName.put("k", new Fault());
          byName.last = new Fault();
          return List.of(sub, new Sub(), faults, new Faults(), byName, new ByName(),
              new Final(null, null, "s"), new Final(new Last(), List.of(new Last()), "s"));
        }
        public static Object written() {
          return new Written(new Fault(), new IllegalStateException(), new Last(), "kept");
        }
      }
      """;

  @Test
  void classesOfTheApplicationCanBeDeclared() throws Exception {
    SourceLoader loader = new SourceLoader(WITH);
    Codec<Object> writer = codec(loader);
    List<?> all = (List<?>) loader.main().getMethod("all").invoke(null);
    for (Object value : all) {
      byte[] bytes = writer.encode(value);
      Object back = codec(loader).decode(bytes, 0, bytes.length);
      assertThat(back).hasSameClassAs(value);
      assertThat(writer.encode(back)).hasSameSizeAs(bytes);
    }
  }

  /** The class of the exception must still be there: only it can tell where its object ends. */
  @Test
  void aFieldThatIsGoneIsSkipped() throws Exception {
    SourceLoader before = new SourceLoader(WITH);
    byte[] bytes = codec(before).encode(before.main().getMethod("written").invoke(null));
    SourceLoader after =
        new SourceLoader(
            """
            public class Main {
              public static class Fault extends Exception {}
              public static final class Last extends RuntimeException {}
              public record Written(String s) {}
            }
            """);
    assertThat(codec(after).decode(bytes, 0, bytes.length)).hasToString("Written[s=kept]");
  }
}

package io.rockpool.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.testing.Slow;
import io.rockpool.testing.SourceLoader;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.InvalidPropertiesFormatException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.apache.fory.resolver.DisallowedList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields whose declared type is refused: null comes back, an instance is refused by name. */
class NullFieldsTest {
  /** Few classes with many fields: code is generated for each. */
  private static final int TYPES_OF_A_RECORD = 40;

  /** What the compiler takes only if it is told to, in one of the JDKs. */
  private static final Pattern PREVIEW =
      Pattern.compile(
          "SwitchBootstraps|StableValue|StructuredTaskScope|StructureViolation|\\.PEM|DEREncodable");

  private static List<Class<?>> types() throws Exception {
    List<Class<?>> types = new ArrayList<>(JdkInstances.publicTypes());
    types.addAll(JdkInstances.publicTypes("java.sql", "java"));
    types.addAll(JdkInstances.publicTypes("java.logging", "java"));
    types.addAll(JdkInstances.publicTypes("java.naming", "javax"));
    types.addAll(JdkInstances.publicTypes("java.net.http", "java"));
    types.removeIf(type -> PREVIEW.matcher(type.getName()).find());
    types.remove(Void.class);
    return types;
  }

  private static Codec<Object> codec(SourceLoader loader, Fallback fallback, Class<?>... allowed) {
    return Codecs.builder()
        .classLoader(loader)
        .fallback(fallback)
        .allow(allowed)
        .build()
        .valueCodec(TypeRef.of(Object.class));
  }

  private static Object back(Codec<Object> codec, Object value) {
    byte[] bytes = codec.encode(value);
    return codec.decode(bytes, 0, bytes.length);
  }

  @Slow
  @ParameterizedTest
  @EnumSource
  void everyTypeOfTheJdkCanBeDeclared(Fallback fallback) throws Exception {
    List<Class<?>> types = types();
    assertThat(types).hasSizeGreaterThan(1_200);
    StringBuilder source = new StringBuilder("public class Main {");
    for (int i = 0; i < types.size(); i += TYPES_OF_A_RECORD) {
      source.append("\npublic record R" + i + "(String s");
      for (int j = i; j < Math.min(types.size(), i + TYPES_OF_A_RECORD); j++) {
        String more = hasMore(j, types.get(j)) ? ", List<T> list#, T[] array#" : "";
        source.append(
            (", T one#" + more)
                .replaceAll("\\bT\\b", types.get(j).getCanonicalName())
                .replace("#", "" + j));
      }
      source.append(") implements Serializable {}");
    }
    SourceLoader loader = new SourceLoader(source.append("}").toString());
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < types.size(); i += TYPES_OF_A_RECORD) {
      Class<?> record = loader.named("app.Main$R" + i);
      Codec<Object> codec = codec(loader, fallback, record);
      try {
        Object value = with(record, 0, "s");
        if (!back(codec, value).equals(value)) {
          wrong.add(value + " came back as " + back(codec, value));
        }
      } catch (UnencodableValueException e) {
        wrong.add(e.getMessage());
        continue;
      }
      int at = 1;
      for (int j = i; j < Math.min(types.size(), i + TYPES_OF_A_RECORD); j++) {
        String found = storeOne(codec, record, at, types.get(j));
        if (found != null) {
          wrong.add(found);
        }
        at += hasMore(j, types.get(j)) ? 3 : 1;
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The code of these is long, and Fory refuses arrays of some types by name. */
  private static boolean hasMore(int number, Class<?> type) {
    return number % 20 == 0 && !DisallowedList.contains(type.getName());
  }

  private static Object with(Class<?> record, int at, Object held) throws Exception {
    Constructor<?> constructor = record.getDeclaredConstructors()[0];
    Object[] components = new Object[constructor.getParameterCount()];
    components[at] = held;
    return constructor.newInstance(components);
  }

  /** Returns what is wrong with an instance in a component, or null. */
  private static String storeOne(Codec<Object> codec, Class<?> record, int at, Class<?> type)
      throws Exception {
    Object held = JdkInstances.make(type);
    if (held == null
        || held instanceof InvalidPropertiesFormatException) { // whose class is not named
      return null;
    }
    try {
      codec.encode(with(record, at, held));
      return null; // Other tests compare what comes back.
    } catch (UnencodableValueException e) {
      return e.getMessage().contains(type.getName()) && e.getMessage().contains("at value")
          ? null
          : type + ": " + e.getMessage();
    } finally {
      if (held instanceof AutoCloseable open) {
        open.close();
      }
    }
  }

  private static final String HOLDER =
      """
      public class Main {
        public static class Listed extends ArrayList<String> { Scanner scanner; Random random; }
        public static class Holder implements Serializable {
          public Random random;
          public java.util.logging.Level[] levels;
          public List<java.util.logging.Level> list;
          public Map<String, java.util.logging.Level> map;
          public java.util.logging.Level level;
          public Thread thread;
          public Class<?> type;
          Listed listed = new Listed();
        }
      }
      """;

  /** Fory shares the code of a class between codecs, whichever of them is the first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTypeThatOnlyAnotherCodecAllowsCanBeDeclared(boolean otherFirst) throws Exception {
    SourceLoader loader = new SourceLoader(HOLDER);
    Class<?> holder = loader.named("app.Main$Holder");
    Class<?> listed = loader.named("app.Main$Listed");
    Codec<Object> codec = codec(loader, Fallback.FORY, holder, listed);
    Codec<Object> other = codec(loader, Fallback.FORY, holder, listed, Level.class);
    List<Codec<Object>> both = otherFirst ? List.of(other, codec) : List.of(codec, other);
    Object value = holder.getConstructor().newInstance();
    for (Codec<Object> writer : both) {
      byte[] bytes = writer.encode(value);
      assertThat(codec.encode(value)).isEqualTo(bytes);
      for (Codec<Object> reader : both) {
        assertThat(reader.decode(bytes, 0, bytes.length))
            .usingRecursiveComparison()
            .isEqualTo(value);
      }
    }
    holder.getField("level").set(value, Level.INFO);
    byte[] bytes = other.encode(value);
    assertThat(other.decode(bytes, 0, bytes.length)).hasSameClassAs(value);
    assertThatThrownBy(() -> codec.encode(value))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("allow(java.util.logging.Level.class)")
        .hasMessageContaining("It is at value.level, an instance of java.util.logging.Level");
    assertThatThrownBy(() -> codec.decode(bytes, 0, bytes.length))
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("allow(java.util.logging.Level.class)");
  }

  record OfVoid(Void none) implements Serializable {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record OfThreads(String name, Thread[] threads, List<Thread> list) implements Serializable {}

  record OfLogger(String name, Logger logger) implements Serializable {}

  @Test
  void theTypesThatCannotBeDeclaredAreRefusedByName() {
    Codec<Object> codec =
        Codecs.builder()
            .allow(OfVoid.class, OfThreads.class)
            .build()
            .valueCodec(TypeRef.of(Object.class));
    assertThatThrownBy(() -> codec.encode(new OfVoid(null)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("Field none of class " + OfVoid.class.getName())
        .hasMessageContaining("java.lang.Void, which cannot be stored, even as null")
        .hasMessageContaining("Declare it as another type, such as Object");
    assertThatThrownBy(() -> codec.encode(new OfThreads("x", null, null)))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("Field threads of class " + OfThreads.class.getName())
        .hasMessageContaining("java.lang.Thread[], which cannot be stored, even as null");
  }

  @ParameterizedTest
  @EnumSource
  void aDeclaredTypeMayHaveSuchAField(Fallback fallback) {
    Codec<OfLogger> codec =
        Codecs.builder().fallback(fallback).build().valueCodec(TypeRef.of(OfLogger.class));
    byte[] bytes = codec.encode(new OfLogger("x", null));
    assertThat(codec.decode(bytes, 0, bytes.length)).isEqualTo(new OfLogger("x", null));
    assertThatThrownBy(() -> codec.encode(new OfLogger("x", Logger.getGlobal())))
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining(Logger.class.getName())
        .hasMessageContaining("value.logger");
  }
}

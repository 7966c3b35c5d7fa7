package io.rockpool.cli;

import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keys and values as JSON, and back. Reading is strict: JSON that its type does not keep is
 * refused, such as a fraction for a {@code Long}, or a property that the class does not have.
 */
final class JsonValues {
  private static final String HEX = "0x";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private JsonValues() {}

  /** What JSON can show: numbers, text and collections of these; objects by their properties. */
  static Object shown(Object value) {
    if (value instanceof byte[] bytes) {
      return hex(bytes);
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    try {
      return JSON.valueToTree(value);
    } catch (JacksonException | IllegalArgumentException e) {
      return value.toString();
    }
  }

  static String hex(byte[] bytes) {
    return HEX + HexFormat.of().formatHex(bytes);
  }

  /**
   * Parses a text.
   *
   * @throws JacksonException if it is not JSON
   */
  static JsonNode parse(String text) {
    return JSON.readTree(text);
  }

  /**
   * Reads a value of a type.
   *
   * @throws IllegalArgumentException if the type does not keep what the JSON says
   */
  static Object read(JsonNode json, TypeRef<?> type) {
    Object value;
    try {
      value =
          type.rawType().equals(byte[].class)
              ? bytes(json)
              : JSON.readerFor(JSON.constructType(type.type())).readValue(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          json + " does not fit the type " + type + ": " + e.getOriginalMessage(), e);
    }
    if (value == null) {
      throw new IllegalArgumentException("null is no value of the type " + type + ".");
    }
    JsonNode again = parse(Output.json(shown(value)));
    if (!isSame(json, again)) {
      throw new IllegalArgumentException(
          json + " does not fit the type " + type + ", which would keep " + again + ".");
    }
    return value;
  }

  private static byte[] bytes(JsonNode json) {
    String text = json.isString() ? json.stringValue() : "";
    if (!text.startsWith(HEX)) {
      throw new IllegalArgumentException(
          json + " does not fit the type byte[]; expected 0x and hexadecimal digits.");
    }
    return HexFormat.of().parseHex(text, HEX.length(), text.length());
  }

  /** Whether a value in JSON is read as an equal value again, or as one with the same bytes. */
  static <T> boolean isExact(T value, TypeRef<T> type, Codec<T> codec) {
    try {
      @SuppressWarnings("unchecked") // it was read as this type
      T again = (T) read(parse(Output.json(shown(value))), type);
      return isEqual(value, again) || Arrays.equals(codec.encode(value), codec.encode(again));
    } catch (IllegalArgumentException
        | JacksonException
        | UndecodableValueException
        | UnencodableValueException e) {
      return false;
    }
  }

  /** Whether two texts say the same. Absent is null; sets have no order. */
  private static boolean isSame(@Nullable JsonNode given, @Nullable JsonNode kept) {
    if (given == null || kept == null) {
      return (given == null || given.isNull()) && (kept == null || kept.isNull());
    }
    if (given.isNumber() && kept.isNumber()) {
      return new BigDecimal(given.asString()).compareTo(new BigDecimal(kept.asString())) == 0;
    }
    if (given.isArray() && kept.isArray()) {
      return areSame(given.values(), kept.values())
          || areSame(sorted(given.values()), sorted(kept.values()));
    }
    if (given.isObject() && kept.isObject()) {
      return Stream.concat(given.propertyNames().stream(), kept.propertyNames().stream())
          .allMatch(name -> isSame(given.get(name), kept.get(name)));
    }
    return given.equals(kept);
  }

  private static boolean areSame(Collection<JsonNode> given, Collection<JsonNode> kept) {
    var others = kept.iterator();
    return given.size() == kept.size()
        && given.stream().allMatch(each -> isSame(each, others.next()));
  }

  private static List<JsonNode> sorted(Collection<JsonNode> values) {
    return values.stream().sorted(Comparator.comparing(JsonNode::toString)).toList();
  }

  /** Whether two values are equal. {@code equals} of a class may pass over some of its fields. */
  private static boolean isEqual(@Nullable Object value, @Nullable Object other) {
    if (value == null || other == null) {
      return value == other;
    }
    if (value instanceof byte[] bytes) {
      return other instanceof byte[] others && Arrays.equals(bytes, others);
    }
    if (value instanceof List<?> list) {
      return other instanceof List<?> others
          && list.size() == others.size()
          && areEqual(list.iterator(), others.iterator());
    }
    if (value instanceof Map<?, ?> map) {
      return other instanceof Map<?, ?> others
          && map.keySet().equals(others.keySet())
          && map.keySet().stream().allMatch(key -> isEqual(map.get(key), others.get(key)));
    }
    if (value instanceof Set<?> set) {
      return set.equals(other) && set.stream().allMatch(each -> isWhole(each.getClass()));
    }
    return value.getClass().equals(other.getClass())
        && (value.getClass().isRecord()
            ? haveEqualComponents(value, other)
            : isWhole(value.getClass()) && value.equals(other));
  }

  private static boolean areEqual(Iterator<?> values, Iterator<?> others) {
    while (values.hasNext()) {
      if (!isEqual(values.next(), others.next())) {
        return false;
      }
    }
    return true;
  }

  private static boolean haveEqualComponents(Object value, Object other) {
    try {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        if (!isEqual(accessor.invoke(value), accessor.invoke(other))) {
          return false;
        }
      }
      return true;
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return false;
    }
  }

  /** Whether {@code equals} of a class compares all of a value: that of the JDK and of enums. */
  private static boolean isWhole(Class<?> type) {
    return type.getName().startsWith("java.") || type.isEnum();
  }
}

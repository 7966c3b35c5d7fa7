package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheSettings;
import io.rockpool.codec.TypeRef;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the first line of decoded elements declares.
 *
 * @param type of the name, such as {@code map}
 * @param row the type of a table's rows; null for all else
 * @param key the type of keys, or of the elements of sets; null if there are none
 * @param value the type of values, or of the elements of a deque; null if there are none
 * @param codecs the ids of the codecs that wrote keys and values, as far as they are given
 * @param options that are kept with the name
 * @param expires when all of it expires, in milliseconds since the epoch
 */
record ElementHeader(
    String type,
    @Nullable TypeRef<?> row,
    @Nullable TypeRef<?> key,
    @Nullable TypeRef<?> value,
    Map<String, String> codecs,
    Map<String, String> options,
    OptionalLong expires) {
  private static final Set<String> PROPERTIES =
      Set.of(
          "rockpool",
          "name",
          "type",
          "key",
          "value",
          "key-codec",
          "value-codec",
          "options",
          "expires");

  /** The options of structures that are kept with a name. */
  static final Set<String> STRUCTURE_OPTIONS = Set.of("entry-ttl", "capacity", "ranked");

  /** Begins the options of a cache; its other attributes are the application's. */
  private static final String CACHE_OPTION = "rockpool.";

  /** An expiry policy as a cache keeps it. */
  private static final Pattern EXPIRY =
      Pattern.compile("code|(creation|update|access|limit)=P\\S+( \\w+=\\S+)*");

  static ElementHeader of(Map<String, Object> header, ClassLoader classes) throws IOException {
    for (String property : header.keySet()) {
      if (!PROPERTIES.contains(property)) {
        throw new IOException("Line 1 has \"" + property + "\", which no header has.");
      }
    }
    String type = ElementLines.text(header, "type");
    Map<String, String> options = new TreeMap<>();
    if (header.get("options") instanceof Map<?, ?> all) {
      for (Map.Entry<?, ?> option : all.entrySet()) {
        String name = option.getKey().toString();
        options.put(name, checked(type, name, option.getValue().toString()));
      }
    }
    Map<String, String> codecs = new TreeMap<>();
    for (String codec : Set.of("key-codec", "value-codec")) {
      if (header.get(codec) != null) {
        codecs.put(codec, ElementLines.text(header, codec));
      }
    }
    OptionalLong expiry = expiry(JsonValues.parse(Output.json(header)).get("expires"));
    return switch (type) {
      case "map", "sorted map", "cache" ->
          new ElementHeader(
              type,
              null,
              named(header, "key", classes),
              named(header, "value", classes),
              codecs,
              options,
              expiry);
      case "set", "sorted set", "scored set" ->
          new ElementHeader(
              type, null, named(header, "key", classes), null, codecs, options, expiry);
      case "deque", "value" ->
          new ElementHeader(
              type, null, null, named(header, "key", classes), codecs, options, expiry);
      case "counter" ->
          new ElementHeader(type, null, null, TypeRef.of(Long.class), codecs, options, expiry);
      case "table" -> {
        String[] keys = ElementLines.text(header, "key").split("/", -1);
        if (keys.length != 2) {
          throw new IOException("Line 1 needs the types of a table's keys as \"ROW/KEY\".");
        }
        yield new ElementHeader(
            type,
            named(keys[0], classes),
            named(keys[1], classes),
            named(header, "value", classes),
            codecs,
            options,
            expiry);
      }
      default ->
          throw new IOException(
              "Line 1 has the type \"" + type + "\", whose elements are imported as records only.");
    };
  }

  private static OptionalLong expiry(@Nullable JsonNode expires) throws IOException {
    try {
      return expires == null ? OptionalLong.empty() : OptionalLong.of(ElementLines.millis(expires));
    } catch (IllegalArgumentException e) {
      throw new IOException("Line 1 was refused: " + e.getMessage(), e);
    }
  }

  private static TypeRef<?> named(Map<String, Object> header, String property, ClassLoader classes)
      throws IOException {
    return named(ElementLines.text(header, property), classes);
  }

  private static TypeRef<?> named(String type, ClassLoader classes) throws IOException {
    try {
      return TypeRef.named(type, classes);
    } catch (ClassNotFoundException e) {
      throw new IOException(
          "Line 1 has the type " + type + ", which was not found. Give --classpath.", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("Line 1 has \"" + type + "\", which is no name of a type.", e);
    }
  }

  boolean isScored() {
    return type.equals("scored set");
  }

  /** The name of the key in a line; null if there is none. */
  @Nullable String keyProperty() {
    return key == null ? null : type.endsWith("set") ? "element" : "key";
  }

  /** The name of the value in a line; null if there is none. */
  @Nullable String valueProperty() {
    return value == null ? null : type.equals("deque") ? "element" : "value";
  }

  /** All that a line has, but its expiry. */
  Set<String> properties() {
    Set<String> all = new LinkedHashSet<>();
    if (row != null) {
      all.add("row");
    }
    if (keyProperty() != null) {
      all.add(keyProperty());
    }
    if (valueProperty() != null) {
      all.add(valueProperty());
    }
    if (isScored()) {
      all.add("score");
    }
    return all;
  }

  /** An option as it is kept; refuses one that could not be read again. */
  private static String checked(String type, String option, String value) throws IOException {
    try {
      if (type.equals("cache")) {
        return option.startsWith(CACHE_OPTION)
            ? ofCache(option.substring(CACHE_OPTION.length()), value)
            : value;
      }
      return switch (option) {
        case "entry-ttl" -> Duration.parse(value).toString();
        case "capacity" -> capacity(value);
        case "ranked" -> ranked(value);
        default -> throw new IllegalArgumentException("no " + type + " has it");
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException(
          "Line 1 has the option \"" + option + "\", which was refused: " + e.getMessage(), e);
    }
  }

  private static String capacity(String value) {
    int capacity = Integer.parseInt(value);
    if (capacity <= 0) {
      throw new IllegalArgumentException(value + " is less than 1");
    }
    return Integer.toString(capacity);
  }

  private static String ranked(String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(value + " is not true or false");
    }
    return value;
  }

  private static <T> String formatted(CacheOption<T> option, String value) {
    return option.format(option.parse(value));
  }

  private static String ofCache(String key, String value) {
    if (key.equals("expiry") && EXPIRY.matcher(value).matches()) {
      for (String part : value.split("=P", -1)) {
        String duration = "P" + part.split(" ", -1)[0];
        if (value.contains("=" + duration)
            && !Duration.parse(duration).toString().equals(duration)) {
          throw new IllegalArgumentException(
              "write " + duration + " as " + Duration.parse(duration));
        }
      }
      return value;
    }
    for (CacheOption<?> option : CacheSettings.OPTIONS) {
      if (option.key().equals(key)) {
        return formatted(option, value);
      }
    }
    throw new IllegalArgumentException(value + " cannot be read");
  }

  /** Refuses a name that other codecs write than those that are declared. */
  void requireCodecs(Description name) throws IOException {
    Map<String, String> own = new TreeMap<>();
    own.put("key-codec", name.keyCodec());
    name.valueCodec().ifPresent(id -> own.put("value-codec", id));
    for (Map.Entry<String, String> codec : codecs.entrySet()) {
      if (!codec.getValue().equals(own.get(codec.getKey()))) {
        throw new IOException(
            "Line 1 has the codec \""
                + codec.getValue()
                + "\", and the types have \""
                + own.get(codec.getKey())
                + "\". Leave it out to convert the elements, or import records.");
      }
    }
  }
}

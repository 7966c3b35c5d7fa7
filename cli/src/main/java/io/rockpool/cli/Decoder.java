package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.access.Internals;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows the keys and values of a name: decoded if their classes are at hand, else as {@code 0x} and
 * hexadecimal digits.
 */
final class Decoder {
  private final Description name;
  private final @Nullable Part<?> rows;
  private final @Nullable Part<?> keys;
  private final @Nullable Part<?> values;
  private final Codec<Object> anyValue;

  /** What is declared of rows, keys or values. */
  private record Part<T>(TypeRef<T> type, Codec<T> codec) {
    /** Whether an encoded value is the same again after it was written as JSON. */
    boolean isExact(byte[] bytes) {
      try {
        return JsonValues.isExact(codec.decode(bytes, 0, bytes.length), type, codec);
      } catch (UndecodableValueException e) {
        return false;
      }
    }
  }

  private Decoder(
      Description name,
      @Nullable Part<?> rows,
      @Nullable Part<?> keys,
      @Nullable Part<?> values,
      Codec<Object> anyValue) {
    this.name = name;
    this.rows = rows;
    this.keys = keys;
    this.values = values;
    this.anyValue = anyValue;
  }

  static Decoder of(Rockpool pool, Description name, ClassLoader classes) {
    Codecs codecs = Internals.store(pool).learning(Codecs.builder().classLoader(classes).build());
    boolean isTable = name.type().equals("table");
    boolean hasElements =
        name.type().equals("deque")
            || name.type().equals("value")
            || QueueMessages.areIn(name.type());
    String valueType = name.valueType().orElse(hasElements ? name.keyType() : "");
    String valueCodec = name.valueCodec().orElse(hasElements ? name.keyCodec() : "");
    // The type and codec of a table's keys are two, separated by a slash.
    String[] keyTypes = name.keyType().split("/", -1);
    String[] keyCodecs = name.keyCodec().split("/", -1);
    int last = keyTypes.length - 1;
    return new Decoder(
        name,
        isTable ? keyCodec(codecs, keyTypes[0], keyCodecs[0], false, classes) : null,
        keyCodec(codecs, keyTypes[last], keyCodecs[last], name.type().equals("cache"), classes),
        valueCodec(codecs, valueType, valueCodec, classes),
        codecs.valueCodec(TypeRef.of(Object.class)));
  }

  /** The codec that wrote keys of a type; null if its classes are missing, or it was another. */
  private static @Nullable Part<?> keyCodec(
      Codecs codecs, String type, String id, boolean ofCache, ClassLoader classes) {
    try {
      @SuppressWarnings("unchecked") // only used with objects of its codec
      TypeRef<Object> named = (TypeRef<Object>) TypeRef.named(type, classes);
      Codec<Object> codec = ofCache ? codecs.cacheKeyCodec(named) : codecs.keyCodec(named);
      return codec.id().equals(id) ? new Part<>(named, codec) : null;
    } catch (ClassNotFoundException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Part<?> valueCodec(
      Codecs codecs, String type, String id, ClassLoader classes) {
    try {
      @SuppressWarnings("unchecked") // only used with objects of its codec
      TypeRef<Object> named = (TypeRef<Object>) TypeRef.named(type, classes);
      Codec<Object> codec = codecs.valueCodec(named);
      return codec.id().equals(id) ? new Part<>(named, codec) : null;
    } catch (ClassNotFoundException | IllegalArgumentException e) {
      return null;
    }
  }

  /** An element as it is shown. */
  Map<String, Object> show(Element element, boolean keysOnly) {
    Map<String, Object> shown = new LinkedHashMap<>(element.more());
    if (element.row() != null) {
      shown.put("row", decoded(rows, element.row()));
    }
    if (element.key() != null) {
      shown.put(isOfElements() ? "element" : "key", decoded(keys, element.key()));
    }
    if (element.score() != null) {
      shown.put("score", element.score());
    }
    if (element.value() != null && !keysOnly) {
      shown.put(valueProperty(), value(element.value()));
    }
    if (Elements.expires(element)) {
      shown.put("expires", java.time.Instant.ofEpochMilli(element.expiryMillis()).toString());
    }
    return shown;
  }

  private String valueProperty() {
    return QueueMessages.areIn(name.type())
        ? "message"
        : name.type().equals("deque") ? "element" : "value";
  }

  /**
   * Whether an element is the same again if it is imported from what {@link #show} returns. Tags,
   * messages, and expiries in a deque, cannot be imported.
   */
  boolean isExact(Element element) {
    return !element.isTagged()
        && !QueueMessages.areIn(name.type())
        && !(name.type().equals("deque") && Elements.expires(element))
        && isExact(rows, element.row())
        && isExact(keys, element.key())
        && (name.type().equals("counter") || isExact(values, element.value()));
  }

  private static boolean isExact(@Nullable Part<?> part, byte @Nullable [] bytes) {
    return bytes == null || (part != null && part.isExact(bytes));
  }

  private boolean isOfElements() {
    return name.type().endsWith("set");
  }

  /** The text of a key, to compare with what is asked for. */
  String keyText(byte[] key) {
    return text(decoded(keys, key));
  }

  /** The text of a table's row, likewise. */
  String rowText(byte[] row) {
    return text(decoded(rows, row));
  }

  /** JSON has no number for NaN and the infinities. */
  private static String text(Object shown) {
    return shown instanceof String || shown instanceof Double || shown instanceof Float
        ? shown.toString()
        : Output.json(shown);
  }

  private Object value(byte[] bytes) {
    Object declared = values == null ? null : tryDecode(values.codec(), bytes);
    Object found = declared == null ? tryDecode(anyValue, bytes) : declared;
    return found == null ? JsonValues.hex(bytes) : JsonValues.shown(found);
  }

  private static Object decoded(@Nullable Part<?> part, byte[] bytes) {
    Object found = part == null ? null : tryDecode(part.codec(), bytes);
    return found == null ? JsonValues.hex(bytes) : JsonValues.shown(found);
  }

  private static @Nullable Object tryDecode(Codec<?> codec, byte[] bytes) {
    try {
      return codec.decode(bytes, 0, bytes.length);
    } catch (UndecodableValueException e) {
      return null;
    }
  }
}

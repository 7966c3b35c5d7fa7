package io.rockpool.internal.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What must not differ between two openings of a name, because its bytes depend on it.
 *
 * @param type what the name holds: cache, map, deque, …
 * @param keyType the type of keys or elements, as {@link io.rockpool.codec.TypeRef} prints it
 * @param keyCodec the id of their codec
 * @param valueType the type of values; null without values
 * @param valueCodec the id of their codec; null without values
 */
public record Identity(
    String type,
    String keyType,
    String keyCodec,
    @Nullable String valueType,
    @Nullable String valueCodec) {
  private static final String TYPE = "type";
  private static final String KEY_TYPE = "key-type";
  private static final String KEY_CODEC = "key-codec";
  private static final String VALUE_TYPE = "value-type";
  private static final String VALUE_CODEC = "value-codec";

  Map<String, String> toAttributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put(TYPE, type);
    attributes.put(KEY_TYPE, keyType);
    attributes.put(KEY_CODEC, keyCodec);
    if (valueType != null && valueCodec != null) {
      attributes.put(VALUE_TYPE, valueType);
      attributes.put(VALUE_CODEC, valueCodec);
    }
    return attributes;
  }

  static Identity fromAttributes(Map<String, String> attributes) {
    return new Identity(
        attributes.getOrDefault(TYPE, "unknown"),
        attributes.getOrDefault(KEY_TYPE, ""),
        attributes.getOrDefault(KEY_CODEC, ""),
        attributes.get(VALUE_TYPE),
        attributes.get(VALUE_CODEC));
  }

  /** Returns whether what was stored with another identity can be opened with this one. */
  public boolean reads(Identity stored) {
    return type.equals(stored.type)
        && keyType.equals(stored.keyType)
        && Objects.equals(valueType, stored.valueType)
        && CodecIds.reads(stored.keyCodec, keyCodec)
        && CodecIds.reads(
            Objects.requireNonNullElse(stored.valueCodec, ""),
            Objects.requireNonNullElse(valueCodec, ""));
  }

  /** Returns what is not the same in {@code there}, with both values. */
  List<String> differencesFrom(Identity there) {
    List<String> differences = new ArrayList<>();
    add(differences, "type", there.type, type);
    add(differences, "key type", there.keyType, keyType);
    add(differences, "key codec", there.keyCodec, keyCodec);
    add(differences, "value type", there.valueType, valueType);
    add(differences, "value codec", there.valueCodec, valueCodec);
    return differences;
  }

  private static void add(
      List<String> differences, String name, @Nullable String there, @Nullable String here) {
    if (!Objects.equals(there, here)) {
      differences.add(name + " is " + there + ", not " + here);
    }
  }

  @Override
  public String toString() {
    String keys = keyType + " (" + keyCodec + ")";
    return "a "
        + type
        + " of "
        + (valueType == null ? keys : keys + " to " + valueType + " (" + valueCodec + ")");
  }
}

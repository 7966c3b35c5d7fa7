package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a key: one element, which may hold others. What equal keys have in common stands first;
 * the state of foreign objects, which equal keys need not have in common, follows as the tail.
 */
final class KeyWriter {
  /** An element without an order, or an entry: what is common to equal ones, and its tail. */
  @SuppressWarnings("ArrayRecordComponent") // compared by compare alone
  private record Part(byte[] common, byte[] tail) {
    static int compare(Part a, Part b) {
      int order = Arrays.compareUnsigned(a.common, b.common);
      return order != 0 ? order : Arrays.compareUnsigned(a.tail, b.tail);
    }
  }

  private static final byte[] NO_TAIL = {};

  private final KeyClasses classes;
  private final @Nullable Consumer<Object> foreign;
  private final KeyBytes out = new KeyBytes();
  private @Nullable KeyBytes tail;
  private int depth;

  /**
   * @param foreign called with each foreign object of the key; null for nothing
   */
  KeyWriter(KeyClasses classes, @Nullable Consumer<Object> foreign) {
    this(classes, foreign, 0);
  }

  private KeyWriter(KeyClasses classes, @Nullable Consumer<Object> foreign, int depth) {
    this.classes = classes;
    this.foreign = foreign;
    this.depth = depth;
  }

  /** Returns the bytes of the key whose element was written. */
  byte[] toBytes() {
    if (tail == null) {
      return out.toBytes();
    }
    KeyBytes whole = new KeyBytes();
    whole.put(KeyTag.BY_EQUALITY);
    whole.putCounted(out.toBytes());
    whole.putAll(tail.toBytes());
    return whole.toBytes();
  }

  void element(@Nullable Object value) {
    if (value == null) {
      out.put(KeyTag.NULL);
      return;
    }
    KeyScalars.Scalar scalar = KeyScalars.of(value.getClass());
    if (scalar != null) {
      out.put(scalar.tag());
      out.putCounted(scalar.encode(value));
    } else {
      composite(value, value.getClass());
    }
  }

  private void composite(Object value, Class<?> type) {
    Codec<Object> registered = classes.registered(type);
    if (registered != null) {
      out.put(KeyTag.REGISTERED);
      out.putText(type.getName());
      out.putCounted(registered.encode(value));
    } else if (value instanceof Enum<?> constant) {
      out.put(KeyTag.ENUM);
      out.putText(classes.name(constant.getDeclaringClass()));
      out.putText(constant.name());
    } else if (type.isRecord() && RecordShape.of(type).isPlain()) {
      record(value, type);
    } else if (SimpleKeys.isOne(type)) {
      elements(KeyTag.SIMPLE_KEY, SimpleKeys.parameters(value));
    } else if (value instanceof Object[] array) {
      elements(KeyTag.OBJECT_ARRAY, array);
    } else if (type.isArray()) {
      primitives(value, type);
    } else if (value instanceof Optional<?> optional) {
      elements(KeyTag.OPTIONAL, optional.stream().toArray());
    } else if (value instanceof Class<?> named) {
      out.put(KeyTag.CLASS);
      out.putText(classes.nameOfClass(named));
    } else {
      collection(value);
    }
  }

  private void collection(Object value) {
    if (!classes.hasContentEquality(value)) {
      foreign(value);
    } else if (value instanceof List<?> list) {
      elements(KeyTag.LIST, list.toArray());
    } else if (value instanceof Set<?> set) {
      List<Part> parts = new ArrayList<>(set.size());
      set.forEach(element -> parts.add(part(writer -> writer.element(element))));
      sorted(KeyTag.SET, parts);
    } else if (value instanceof Map<?, ?> map) {
      List<Part> parts = new ArrayList<>(map.size());
      map.forEach((key, of) -> parts.add(part(writer -> writer.pair(key, of))));
      sorted(KeyTag.MAP, parts);
    } else if (value instanceof Map.Entry<?, ?> entry) {
      out.put(KeyTag.ENTRY);
      descend();
      pair(entry.getKey(), entry.getValue());
      depth--;
    } else {
      foreign(value);
    }
  }

  private void foreign(Object value) {
    ForeignObjects.Encoded encoded = classes.foreign(value);
    out.put(KeyTag.FOREIGN);
    out.putInt(encoded.hash());
    tail().putCounted(encoded.state());
    if (foreign != null) {
      foreign.accept(value);
    }
  }

  private void record(Object value, Class<?> type) {
    RecordShape shape = RecordShape.of(type);
    out.put(KeyTag.RECORD);
    out.putText(classes.name(type));
    out.putNumber(shape.names().size());
    descend();
    for (int i = 0; i < shape.names().size(); i++) {
      out.putText(shape.names().get(i));
      element(shape.component(i, value));
    }
    depth--;
  }

  private void pair(@Nullable Object key, @Nullable Object value) {
    element(key);
    element(value);
  }

  private void elements(byte tag, @Nullable Object[] elements) {
    out.put(tag);
    out.putNumber(elements.length);
    descend();
    for (Object element : elements) {
      element(element);
    }
    depth--;
  }

  private interface PartWriter {
    void write(KeyWriter writer);
  }

  private Part part(PartWriter content) {
    descend();
    KeyWriter inner = new KeyWriter(classes, foreign, depth);
    content.write(inner);
    depth--;
    return new Part(inner.out.toBytes(), inner.tail == null ? NO_TAIL : inner.tail.toBytes());
  }

  /**
   * Writes elements without an order, or entries: by their bytes, so that it is always the same.
   */
  private void sorted(byte tag, List<Part> parts) {
    parts.sort(Part::compare);
    out.put(tag);
    out.putNumber(parts.size());
    for (Part part : parts) {
      out.putAll(part.common());
      if (part.tail().length > 0) {
        tail().putAll(part.tail());
      }
    }
  }

  private void primitives(Object array, Class<?> type) {
    int length = Array.getLength(array);
    out.put(KeyTag.PRIMITIVE_ARRAY);
    out.putText(type.getComponentType().getName());
    out.putNumber(length);
    descend();
    for (int i = 0; i < length; i++) {
      element(Array.get(array, i));
    }
    depth--;
  }

  private KeyBytes tail() {
    if (tail == null) {
      tail = new KeyBytes();
    }
    return Objects.requireNonNull(tail);
  }

  private void descend() {
    if (depth == Nesting.MAX_KEY_DEPTH) {
      throw new UnencodableValueException(
          "A key is nested more than "
              + Nesting.MAX_KEY_DEPTH
              + " deep. Use a shorter key, such as an id.",
          null);
    }
    depth++;
  }
}

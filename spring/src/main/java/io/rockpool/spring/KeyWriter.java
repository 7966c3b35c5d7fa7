package io.rockpool.spring;

import static java.util.Objects.requireNonNull;

import io.rockpool.codec.Codec;
import io.rockpool.error.UnencodableValueException;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;

/** Writes a key: one element, which may hold others. */
final class KeyWriter {
  /** Far deeper than any key that was meant as one; a list within itself would go on for ever. */
  static final int MAX_DEPTH = 64;

  private static final int MORE = 0x80;
  private static final int PAYLOAD = 0x7F;
  private static final int PAYLOAD_BITS = 7;

  private final KeyClasses classes;
  private final int depth;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  KeyWriter(KeyClasses classes) {
    this(classes, 0);
  }

  private KeyWriter(KeyClasses classes, int depth) {
    this.classes = classes;
    this.depth = depth;
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  void element(@Nullable Object value) {
    if (value == null) {
      out.write(KeyTag.NULL);
      return;
    }
    Codec<Object> scalar = KeyScalars.of(value.getClass());
    if (scalar != null) {
      scalar(scalar.encode(value));
    } else {
      composite(value, value.getClass());
    }
  }

  private void scalar(byte[] tagged) {
    out.write(tagged[0]);
    bytes(tagged, 1);
  }

  private void composite(Object value, Class<?> type) {
    Codec<Object> registered = classes.registered(type);
    if (registered != null) {
      out.write(KeyTag.REGISTERED);
      text(classes.name(type));
      bytes(registered.encode(value), 0);
    } else if (value instanceof Enum<?> constant) {
      out.write(KeyTag.ENUM);
      text(classes.name(constant.getDeclaringClass()));
      text(constant.name());
    } else if (type.isRecord()) {
      record(value, type);
    } else if (type == SimpleKey.class) {
      elements(KeyTag.SIMPLE_KEY, Arrays.asList(SimpleKeys.parameters((SimpleKey) value)));
    } else if (value instanceof Object[] array) {
      elements(KeyTag.OBJECT_ARRAY, Arrays.asList(array));
    } else if (type.isArray()) {
      primitives(value, type);
    } else if (value instanceof Optional<?> optional) {
      elements(KeyTag.OPTIONAL, optional.stream().toList());
    } else {
      collection(value);
    }
  }

  private void collection(Object value) {
    if (value instanceof List<?> list) {
      elements(KeyTag.LIST, list);
    } else if (value instanceof Set<?> set) {
      sorted(KeyTag.SET, set.iterator(), set.size());
    } else if (value instanceof Map<?, ?> map) {
      sorted(KeyTag.MAP, map.entrySet().iterator(), map.size());
    } else {
      throw new UnencodableValueException(
          "An instance of "
              + value.getClass().getName()
              + " cannot be part of a cache's key: its equal instances could have different bytes."
              + " Name what it is told by, as in @Cacheable(key = \"#order.id\"), make it a record,"
              + " or register a codec for it: Codecs.builder().register(...).",
          null);
    }
  }

  private void record(Object value, Class<?> type) {
    RecordShape shape = RecordShape.of(type);
    out.write(KeyTag.RECORD);
    text(classes.name(type));
    number(shape.names().size());
    KeyWriter inner = inner();
    for (int i = 0; i < shape.names().size(); i++) {
      inner.text(shape.names().get(i));
      inner.element(shape.component(i, value));
    }
    append(inner);
  }

  private void elements(byte tag, Collection<? extends @Nullable Object> elements) {
    out.write(tag);
    number(elements.size());
    KeyWriter inner = inner();
    elements.forEach(inner::element);
    append(inner);
  }

  /** Elements without an order, or entries: by their bytes, so that it is always the same one. */
  private void sorted(byte tag, Iterator<? extends @Nullable Object> elements, int size) {
    List<byte[]> encoded = new ArrayList<>(size);
    while (elements.hasNext()) {
      KeyWriter inner = inner();
      Object element = elements.next();
      if (tag == KeyTag.MAP) {
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) requireNonNull(element);
        inner.element(entry.getKey());
        inner.element(entry.getValue());
      } else {
        inner.element(element);
      }
      encoded.add(inner.toBytes());
    }
    encoded.sort(Arrays::compareUnsigned);
    out.write(tag);
    number(encoded.size());
    encoded.forEach(out::writeBytes);
  }

  private void primitives(Object array, Class<?> type) {
    int length = Array.getLength(array);
    out.write(KeyTag.PRIMITIVE_ARRAY);
    text(type.getComponentType().getName());
    number(length);
    KeyWriter inner = inner();
    for (int i = 0; i < length; i++) {
      inner.element(Array.get(array, i));
    }
    append(inner);
  }

  private KeyWriter inner() {
    if (depth == MAX_DEPTH) {
      throw new UnencodableValueException(
          "A cache's key is nested more than "
              + MAX_DEPTH
              + " deep; name what it is told by, as in @Cacheable(key = \"#order.id\").",
          null);
    }
    return new KeyWriter(classes, depth + 1);
  }

  private void append(KeyWriter inner) {
    out.writeBytes(inner.toBytes());
  }

  private void text(String text) {
    bytes(KeyScalars.STRING.encode(text), 0);
  }

  private void bytes(byte[] bytes, int from) {
    number(bytes.length - from);
    out.write(bytes, from, bytes.length - from);
  }

  private void number(int value) {
    int rest = value;
    while (rest > PAYLOAD) {
      out.write((rest & PAYLOAD) | MORE);
      rest >>>= PAYLOAD_BITS;
    }
    out.write(rest);
  }
}

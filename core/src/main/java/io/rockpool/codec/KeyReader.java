package io.rockpool.codec;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.bytes.Leb128;
import io.rockpool.internal.logging.ShownKey;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link KeyWriter} wrote. Collections come back equal to what they were, not of the
 * same class.
 */
final class KeyReader {
  private final KeyClasses classes;
  private final byte[] bytes;
  private int end;
  private int at;
  private int depth;

  /** Where the state of the next foreign object lies; -1 if the key has none. */
  private int tailAt = -1;

  private int tailEnd;

  KeyReader(KeyClasses classes, byte[] bytes, int offset, int length) {
    this.classes = classes;
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /** The element that all of the bytes are. */
  Object whole() {
    boolean numbered = at < end && bytes[at] == KeyTag.NUMBERED;
    boolean byEquality = numbered || (at < end && bytes[at] == KeyTag.BY_EQUALITY);
    if (byEquality) {
      at++;
      int common = length();
      tailAt = at + common;
      tailEnd = numbered ? end - Long.BYTES : end;
      end = tailAt;
    }
    Object value = element();
    if (at != end || (byEquality && tailAt != tailEnd)) { // also if there is no number
      throw damaged("bytes too many");
    }
    if (value == null) {
      throw damaged("the key is null");
    }
    return value;
  }

  private @Nullable Object element() {
    if (at == end) {
      throw damaged("an element is missing");
    }
    if (++depth > Nesting.MAX_KEY_DEPTH + 1) {
      throw damaged("nested too deep");
    }
    byte tag = bytes[at++];
    Object value = tag == KeyTag.NULL ? null : element(tag);
    depth--;
    return value;
  }

  private Object element(byte tag) {
    return switch (tag) {
      case KeyTag.ENUM -> constant();
      case KeyTag.RECORD -> record();
      case KeyTag.SIMPLE_KEY -> simpleKey();
      case KeyTag.OBJECT_ARRAY -> elements();
      case KeyTag.LIST -> Collections.unmodifiableList(Arrays.asList(elements()));
      case KeyTag.SET ->
          Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(elements())));
      case KeyTag.MAP -> map();
      case KeyTag.OPTIONAL -> optional();
      case KeyTag.PRIMITIVE_ARRAY -> primitives();
      case KeyTag.REGISTERED -> registered();
      case KeyTag.ENTRY -> new AbstractMap.SimpleImmutableEntry<>(element(), element());
      case KeyTag.CLASS -> classes.classNamed(text());
      case KeyTag.FOREIGN -> foreign();
      default -> scalar(tag);
    };
  }

  private Object scalar(byte tag) {
    KeyScalars.Scalar scalar = KeyScalars.of(tag);
    if (scalar == null) {
      throw damaged("no element has tag " + tag);
    }
    int length = length();
    int from = at;
    at += length;
    return scalar.codec().decode(bytes, from, length);
  }

  private Object simpleKey() {
    Class<?> type = classes.named(SimpleKeys.name());
    try {
      return SimpleKeys.create(type, elements());
    } catch (InvocationTargetException e) {
      throw damaged("its parameters are refused");
    } catch (ReflectiveOperationException e) {
      throw damaged(type.getName() + " cannot be created");
    }
  }

  /** The hash in its place among the elements, and the state in the tail. */
  private Object foreign() {
    if (tailAt < 0 || end - at < Integer.BYTES) {
      throw damaged("a foreign object is cut off");
    }
    at += Integer.BYTES;
    int resumeAt = at;
    int resumeEnd = end;
    at = tailAt;
    end = tailEnd;
    int length = length();
    int from = at;
    tailAt = at + length;
    at = resumeAt;
    end = resumeEnd;
    return classes.foreign(bytes, from, length);
  }

  private Object constant() {
    Class<?> type = classes.named(text());
    String name = text();
    Object[] constants = type.getEnumConstants();
    for (Object constant : constants == null ? new Object[0] : constants) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    String shown = ShownKey.of(name.getBytes(StandardCharsets.UTF_8));
    throw damaged(type.getName() + " has no constant '" + shown + "' (any more)");
  }

  private Object record() {
    Class<?> type = classes.named(text());
    List<String> names = new ArrayList<>();
    int count = count();
    @Nullable Object[] components = new Object[count];
    for (int i = 0; i < count; i++) {
      names.add(text());
      components[i] = element();
    }
    if (!type.isRecord() || !RecordShape.of(type).names().equals(names)) {
      throw damaged(type.getName() + " has not the components " + names + " (any more)");
    }
    return RecordShape.of(type).create(components);
  }

  private @Nullable Object[] elements() {
    @Nullable Object[] elements = new Object[count()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = element();
    }
    return elements;
  }

  private Optional<Object> optional() {
    @Nullable Object[] elements = elements();
    return elements.length == 0 ? Optional.empty() : Optional.ofNullable(elements[0]);
  }

  private Map<@Nullable Object, @Nullable Object> map() {
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (int left = count(); left > 0; left--) {
      Object key = element();
      map.put(key, element());
    }
    return Collections.unmodifiableMap(map);
  }

  private Object primitives() {
    String name = text();
    Class<?> type = TypeNames.primitive(name);
    if (type == null || type == void.class || type == byte.class) { // bytes are a tag of their own
      throw damaged("there are no such arrays");
    }
    Object array = Array.newInstance(type, count());
    for (int i = 0; i < Array.getLength(array); i++) {
      try {
        Array.set(array, i, element());
      } catch (IllegalArgumentException | NullPointerException e) {
        throw damaged("an array of " + name + " holds something else");
      }
    }
    return array;
  }

  private Object registered() {
    String name = text();
    Codec<Object> codec = classes.registered(name);
    if (codec == null) {
      throw damaged("no codec is registered for " + classes.named(name).getName());
    }
    int length = length();
    int from = at;
    at += length;
    return codec.decode(bytes, from, length);
  }

  private String text() {
    int length = length();
    int from = at;
    at += length;
    return StringCodec.INSTANCE.decode(bytes, from, length);
  }

  /** The number of bytes that follow, which are there. */
  private int length() {
    int length = number();
    if (length > end - at) {
      throw damaged("cut off");
    }
    return length;
  }

  /** The number of elements that follow; each takes a byte or more, so that there are no more. */
  private int count() {
    return length();
  }

  private int number() {
    try {
      int value = Leb128.get(bytes, at, end);
      at += Leb128.length(value);
      return value;
    } catch (CorruptStoreException e) {
      throw damaged("a length is malformed");
    }
  }

  private static UndecodableValueException damaged(String what) {
    return Undecodable.damaged(ValueTag.KEY_ID, what, null);
  }
}

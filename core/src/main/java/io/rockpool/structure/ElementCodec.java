package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Converts between the elements of a deque and the values of its records. */
final class ElementCodec<E> {
  private final StructureSpace space;
  private final Class<? super E> type;
  private final Codec<E> codec;

  ElementCodec(StructureSpace space, TypeRef<E> type, Codec<E> codec) {
    this.space = space;
    this.type = type.rawType();
    this.codec = codec;
  }

  /** Whether a collection contains an object; arrays are equal if their elements are. */
  static boolean isIn(Collection<?> some, Object object) {
    return some.contains(object)
        || (object.getClass().isArray()
            && some.stream().anyMatch(it -> Objects.deepEquals(it, object)));
  }

  byte[] encode(E element) {
    return space.encode(codec, Objects.requireNonNull(element, "element"));
  }

  /**
   * A predicate that accepts the records of an element: those with its bytes, or with an equal
   * element. A record that cannot be decoded matches by its bytes only. Null if the object is of
   * another type.
   */
  @SuppressWarnings("unchecked") // if the class is not precise enough, the codec throws
  @Nullable Predicate<RowRecord> equalTo(@Nullable Object element) {
    if (!type.isInstance(element)) {
      return null;
    }
    byte[] value;
    try {
      value = codec.encode((E) element);
    } catch (ClassCastException | UnencodableValueException e) {
      return null;
    }
    return record ->
        Arrays.equals(record.value(), value)
            || Objects.deepEquals(decodeOrNull(record.value()), element);
  }

  /** The element of a value, or null if it cannot be decoded. */
  @Nullable E decodeOrNull(byte[] value) {
    try {
      return codec.decode(value, 0, value.length);
    } catch (UndecodableValueException e) {
      return null;
    }
  }

  E decode(RowRecord record) {
    try {
      return codec.decode(record.value(), 0, record.value().length);
    } catch (UndecodableValueException e) {
      throw space.undecodable(record.sortKey(), e);
    }
  }
}

package io.rockpool.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the ordered codec of a type; for a record, those of its components. */
final class OrderedCodecs {
  private final RegisteredCodecs codecs;
  private final Set<TypeRef<?>> open = new HashSet<>();
  private boolean overridesEquals;
  private boolean exact;

  OrderedCodecs(RegisteredCodecs codecs) {
    this.codecs = codecs;
  }

  @SuppressWarnings("unchecked")
  <K> OrderedCodec<K> of(TypeRef<K> type) {
    OrderedCodec<K> codec = (OrderedCodec<K>) find(type);
    if (codec == null) {
      throw new IllegalArgumentException(
          "Type "
              + type
              + " has no ordered codec: there are some for String, numbers, byte[], UUID, java.time"
              + " types, enums, and records of these. Use one of them, or register an"
              + " OrderedCodec.");
    }
    return codec;
  }

  /** Returns the ordered codec of a type, or null if it is not one that sorts. */
  @Nullable OrderedCodec<?> find(TypeRef<?> type) {
    Codec<?> registered = codecs.of(type);
    if (registered != null) {
      return registered instanceof OrderedCodec<?> ordered ? ordered : null;
    }
    Class<?> raw = type.rawType();
    if (raw.isRecord()) {
      return ofRecord(type);
    }
    return exact ? BuiltInCodecs.exact(raw) : BuiltInCodecs.ordered(raw);
  }

  /**
   * As {@link #find}, for keys whose order does not count: constants of enums are written by name.
   * Null where a record's own {@code equals} may not tell as its bytes do.
   */
  @Nullable OrderedCodec<?> findExact(TypeRef<?> type) {
    overridesEquals = false;
    exact = true;
    OrderedCodec<?> found = find(type);
    return overridesEquals ? null : found;
  }

  private @Nullable OrderedCodec<?> ofRecord(TypeRef<?> type) {
    if (!open.add(type)) {
      return null; // A record within itself: no codec can be made of its components.
    }
    Class<?> raw = type.rawType();
    overridesEquals |= !RecordEquals.isImplicit(raw);
    Map<TypeVariable<?>, Type> arguments = GenericTypes.arguments(type.type());
    List<RecordOrderCodec.Component> components = new ArrayList<>();
    for (RecordComponent component : raw.getRecordComponents()) {
      RecordOrderCodec.Component found = ofComponent(component, arguments);
      if (found == null) {
        return null;
      }
      components.add(found);
    }
    open.remove(type);
    return components.isEmpty() ? null : new RecordOrderCodec<>(raw, components, constructor(raw));
  }

  @SuppressWarnings("unchecked")
  private RecordOrderCodec.@Nullable Component ofComponent(
      RecordComponent component, Map<TypeVariable<?>, Type> arguments) {
    Type type = GenericTypes.resolve(component.getGenericType(), arguments);
    OrderedCodec<Object> codec = (OrderedCodec<Object>) find(TypeRef.ofType(type));
    if (codec == null) {
      return null;
    }
    ModuleAccess.open(component.getAccessor());
    try {
      MethodHandle accessor = MethodHandles.lookup().unreflect(component.getAccessor());
      MethodType erased = MethodType.methodType(Object.class, Object.class);
      return new RecordOrderCodec.Component(component.getName(), accessor.asType(erased), codec);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("Component " + component + " cannot be read.", e);
    }
  }

  private static MethodHandle constructor(Class<?> record) {
    Class<?>[] types =
        Arrays.stream(record.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<?> canonical = record.getDeclaredConstructor(types);
      ModuleAccess.open(canonical);
      MethodType erased = MethodType.methodType(Object.class, Object[].class);
      return MethodHandles.lookup()
          .unreflectConstructor(canonical)
          .asSpreader(Object[].class, types.length)
          .asType(erased);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(record + " cannot be created.", e);
    }
  }
}

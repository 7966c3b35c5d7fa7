package io.rockpool.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether all that a type's values hold is known to be immutable: enums, records and optionals of
 * the library's immutable types and of one another.
 */
final class Immutability {
  private final Predicate<Class<?>> isImmutableLeaf;
  private final Set<Type> assumed = new HashSet<>();

  private Immutability(Predicate<Class<?>> isImmutableLeaf) {
    this.isImmutableLeaf = isImmutableLeaf;
  }

  /**
   * @param isImmutableLeaf says which classes other than enums and records are immutable
   */
  static boolean of(Type type, Predicate<Class<?>> isImmutableLeaf) {
    return new Immutability(isImmutableLeaf).test(type);
  }

  private boolean test(Type type) {
    if (!assumed.add(type)) {
      return true; // A record that holds its own kind is immutable if the rest of it is.
    }
    Class<?> raw = GenericTypes.rawClass(type);
    if (raw.isPrimitive() || raw.isEnum() || isImmutableLeaf.test(raw)) {
      return true;
    }
    if (raw == Optional.class) {
      return type instanceof ParameterizedType p && test(p.getActualTypeArguments()[0]);
    }
    return raw.isRecord() && testComponents(raw, GenericTypes.arguments(type));
  }

  private boolean testComponents(Class<?> raw, Map<TypeVariable<?>, Type> arguments) {
    for (RecordComponent component : raw.getRecordComponents()) {
      if (!test(GenericTypes.resolve(component.getGenericType(), arguments))) {
        return false;
      }
    }
    return true;
  }
}

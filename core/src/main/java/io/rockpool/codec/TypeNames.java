package io.rockpool.codec;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The names of types as descriptors store them. */
final class TypeNames {
  private TypeNames() {}

  static String of(Type type) {
    if (type instanceof Class<?> c) {
      return c.isArray() ? of(c.getComponentType()) + "[]" : c.getName();
    }
    if (type instanceof ParameterizedType p) {
      return of(p.getRawType()) + '<' + list(p.getActualTypeArguments(), ",") + '>';
    }
    if (type instanceof GenericArrayType a) {
      return of(a.getGenericComponentType()) + "[]";
    }
    if (type instanceof WildcardType w) {
      return wildcard(w);
    }
    return type.getTypeName();
  }

  private static String wildcard(WildcardType w) {
    if (w.getLowerBounds().length > 0) {
      return "? super " + list(w.getLowerBounds(), "&");
    }
    Type[] upper = w.getUpperBounds();
    return upper.length == 0 || upper[0] == Object.class ? "?" : "? extends " + list(upper, "&");
  }

  private static String list(Type[] types, String separator) {
    return Arrays.stream(types).map(TypeNames::of).collect(Collectors.joining(separator));
  }

  /** Returns the type if no type variable occurs in it. */
  static Type requireResolved(Type type) {
    if (type instanceof TypeVariable<?> variable) {
      throw new IllegalArgumentException(
          "The type variable "
              + variable.getName()
              + " says nothing about the type at run time: name the class instead.");
    }
    if (type instanceof ParameterizedType p) {
      requireAllResolved(p.getActualTypeArguments());
    } else if (type instanceof GenericArrayType a) {
      requireResolved(a.getGenericComponentType());
    } else if (type instanceof WildcardType w) {
      requireAllResolved(w.getUpperBounds());
      requireAllResolved(w.getLowerBounds());
    }
    return type;
  }

  private static void requireAllResolved(Type[] types) {
    for (Type type : types) {
      requireResolved(type);
    }
  }
}

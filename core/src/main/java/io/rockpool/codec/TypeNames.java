package io.rockpool.codec;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of types as descriptors store them. */
final class TypeNames {
  private static final Map<String, Class<?>> PRIMITIVES =
      Stream.of(
              boolean.class,
              byte.class,
              short.class,
              char.class,
              int.class,
              long.class,
              float.class,
              double.class,
              void.class)
          .collect(Collectors.toMap(Class::getName, type -> type));

  private TypeNames() {}

  /** Returns the primitive type of a name, or {@code void}; null if it is of none. */
  static @Nullable Class<?> primitive(String name) {
    return PRIMITIVES.get(name);
  }

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

  /** Returns the type of a name that {@link #of} gave. */
  static Type parse(String name, ClassLoader classLoader) throws ClassNotFoundException {
    if (name.endsWith("[]")) {
      Type component = parse(name.substring(0, name.length() - 2), classLoader);
      return Array.newInstance(GenericTypes.rawClass(component), 0).getClass();
    }
    int open = name.indexOf('<');
    if (open < 0) {
      Class<?> primitive = primitive(name);
      return primitive == null ? Class.forName(name, false, classLoader) : primitive;
    }
    if (!name.endsWith(">")) {
      throw new IllegalArgumentException(name + " is no name of a type: it lacks a closing '>'.");
    }
    List<Type> arguments = new ArrayList<>();
    int depth = 0;
    int from = open + 1;
    for (int at = from; at < name.length(); at++) {
      char c = name.charAt(at);
      if (depth == 0 && (c == ',' || at == name.length() - 1)) {
        arguments.add(parse(name.substring(from, at), classLoader));
        from = at + 1;
      }
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    }
    return GenericTypes.parameterized(
        Class.forName(name.substring(0, open), false, classLoader), arguments);
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

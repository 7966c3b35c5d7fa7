package io.rockpool.codec;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the fields and components of a generic class are, given its type arguments. */
final class GenericTypes {
  private GenericTypes() {}

  static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  static Class<?> rawClass(Type type) {
    if (type instanceof Class<?> c) {
      return c;
    }
    if (type instanceof ParameterizedType p) {
      return (Class<?>) p.getRawType();
    }
    if (type instanceof GenericArrayType a) {
      return Array.newInstance(rawClass(a.getGenericComponentType()), 0).getClass();
    }
    if (type instanceof WildcardType w) {
      return rawClass(w.getUpperBounds()[0]);
    }
    return rawClass(((TypeVariable<?>) type).getBounds()[0]);
  }

  /** Returns what each type variable stands for in a type. */
  static Map<TypeVariable<?>, Type> arguments(Type type) {
    Map<TypeVariable<?>, Type> arguments = new HashMap<>();
    if (type instanceof ParameterizedType p) {
      TypeVariable<?>[] variables = ((Class<?>) p.getRawType()).getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        arguments.put(variables[i], p.getActualTypeArguments()[i]);
      }
    }
    return arguments;
  }

  /** Returns the type with its variables replaced; one that is not known becomes its bound. */
  static Type resolve(Type type, Map<TypeVariable<?>, Type> arguments) {
    if (type instanceof TypeVariable<?> variable) {
      Type known = arguments.get(variable);
      return known != null ? known : rawClass(variable);
    }
    if (type instanceof ParameterizedType p) {
      List<Type> resolved =
          Arrays.stream(p.getActualTypeArguments())
              .map(argument -> resolve(argument, arguments))
              .toList();
      return new Parameterized((Class<?>) p.getRawType(), resolved);
    }
    if (type instanceof GenericArrayType a) {
      Type component = resolve(a.getGenericComponentType(), arguments);
      return Array.newInstance(rawClass(component), 0).getClass();
    }
    if (type instanceof WildcardType w) {
      return resolve(w.getUpperBounds()[0], arguments);
    }
    return type;
  }

  /** A class with type arguments. */
  static Type parameterized(Class<?> raw, List<Type> arguments) {
    return new Parameterized(raw, arguments);
  }

  private record Parameterized(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(new Type[0]);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return raw.getDeclaringClass();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ParameterizedType that
          && raw.equals(that.getRawType())
          && arguments.equals(List.of(that.getActualTypeArguments()))
          && Objects.equals(getOwnerType(), that.getOwnerType());
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(getActualTypeArguments())
          ^ Objects.hashCode(getOwnerType())
          ^ raw.hashCode();
    }
  }
}

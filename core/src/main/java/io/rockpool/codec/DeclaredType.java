package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** The declared type of a field as text that is the same in every process, and its checksum. */
final class DeclaredType {
  private DeclaredType() {}

  /** Returns the checksum of the declared type of a field, with its type arguments. */
  static int checksum(Field field) {
    return checksum(text(field.getGenericType()));
  }

  /** Returns the checksum of the name of a class. */
  static int checksum(Class<?> type) {
    return checksum(type.getName());
  }

  /** Returns the checksum of a type with its type arguments. */
  static int checksum(ParameterizedType type) {
    return checksum(text(type));
  }

  /** Returns the checksum of a text. */
  static int checksum(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) sum.getValue();
  }

  /** A variable or wildcard is its bound, and a raw type has the bounds of its parameters. */
  private static String text(Type type) {
    if (type instanceof ParameterizedType p) {
      return text(GenericTypes.rawClass(p).getName(), p.getActualTypeArguments());
    }
    if (type instanceof GenericArrayType array) {
      return text(array.getGenericComponentType()) + "[]";
    }
    if (type instanceof WildcardType wildcard) {
      return text(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      return GenericTypes.rawClass(variable).getName();
    }
    Class<?> raw = (Class<?>) type;
    return raw.isArray()
        ? text(raw.getComponentType()) + "[]"
        : text(raw.getName(), raw.getTypeParameters());
  }

  private static String text(String name, Type[] arguments) {
    return arguments.length == 0
        ? name
        : Arrays.stream(arguments)
            .map(DeclaredType::text)
            .collect(Collectors.joining(",", name + "<", ">"));
  }
}

package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether equal keys of a type always have equal bytes. A class does if all its fields do. A
 * collection or map does not (the order of a hash set's elements is nobody's promise, and equal
 * lists of two classes have other bytes), nor does a type whose instances may be of any class.
 */
final class KeyShape {
  private final Set<Type> seen = new HashSet<>();

  private KeyShape() {}

  /** Refuses a type whose equal keys may differ in bytes. */
  static void require(TypeRef<?> type) {
    String obstacle = new KeyShape().obstacle(type.type(), type.toString());
    if (obstacle != null) {
      throw new IllegalArgumentException(
          "Type "
              + type
              + " cannot be a key: equal keys could have different bytes, because of "
              + obstacle
              + ". Use a record of strings, numbers and the like, or register a codec for it.");
    }
  }

  /** Returns {@link #require} for classes met at run time; it looks at each of them once. */
  static Consumer<Class<?>> perClass() {
    ClassValue<Boolean> checked =
        new ClassValue<>() {
          @Override
          protected Boolean computeValue(Class<?> type) {
            require(TypeRef.of(type));
            return true;
          }
        };
    return checked::get;
  }

  private @Nullable String obstacle(Type type, String path) {
    if (!seen.add(type)) {
      return null;
    }
    Class<?> raw = GenericTypes.rawClass(type);
    if (raw.isPrimitive() || raw.isEnum() || BuiltInCodecs.value(raw) != null) {
      return null;
    }
    if (raw.isArray()) {
      return obstacle(raw.getComponentType(), path);
    }
    if (raw == Optional.class && type instanceof ParameterizedType p) {
      return obstacle(p.getActualTypeArguments()[0], path);
    }
    boolean open = raw.isInterface() || Modifier.isAbstract(raw.getModifiers());
    if (open || raw == Object.class || raw.getName().startsWith("java.")) {
      return path + " (" + TypeNames.of(type) + ")";
    }
    return fieldObstacle(raw, type);
  }

  private @Nullable String fieldObstacle(Class<?> raw, Type type) {
    for (Field field : raw.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers())) {
        continue;
      }
      Type of = GenericTypes.resolve(field.getGenericType(), GenericTypes.arguments(type));
      String found = obstacle(of, field.getName() + " of " + raw.getName());
      if (found != null) {
        return found;
      }
    }
    Type parent = raw.getGenericSuperclass();
    boolean done = raw.isRecord() || parent == Object.class;
    return done ? null : obstacle(GenericTypes.resolve(parent, GenericTypes.arguments(type)), "");
  }
}

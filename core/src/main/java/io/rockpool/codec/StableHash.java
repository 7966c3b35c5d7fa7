package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A hash that equal objects share in every process. Usually it is {@code hashCode}. The hash codes
 * of enum constants and classes differ between processes. If the object holds one, the hash is that
 * of a copy: fields with constants or classes are empty or null in it, and transient {@code int}
 * fields that keep the hash code are 0. If a field that is not transient keeps the hash code, the
 * object is refused.
 */
final class StableHash {
  private static final List<Object> EMPTY =
      List.of(List.of(), Set.of(), Map.of(), Optional.empty());

  private static final ClassValue<Field[]> FIELDS =
      new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
          List<Field> fields = new ArrayList<>();
          for (Class<?> c = type; c != null && !isJdk(c); c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers())) {
                ModuleAccess.open(field);
                fields.add(field);
              }
            }
          }
          return fields.toArray(new Field[0]);
        }
      };

  private StableHash() {}

  /**
   * Returns the hash of an object.
   *
   * @param copier makes a copy of it, which is changed then
   */
  static int of(Object value, Supplier<Object> copier) {
    Class<?> type = value.getClass();
    Set<Field> varying = new HashSet<>();
    for (Field field : FIELDS.get(type)) {
      if (mayVary(field.getType()) && varies(get(field, value), 0)) {
        varying.add(field);
      }
    }
    int hash = value.hashCode();
    if (varying.isEmpty()) {
      return hash;
    }
    try {
      return type.isRecord()
          ? without(value, varying).hashCode()
          : without(copier.get(), varying, hash).hashCode();
    } catch (UnencodableValueException e) {
      throw e;
    } catch (RuntimeException | ReflectiveOperationException e) {
      Undecodable.rethrowIfOfCatalog(e);
      throw KeyRefusal.of(
          type,
          "its hashCode throws "
              + e.getClass().getName()
              + " where an enum constant or class in it is null. Its hash is computed without them,"
              + " because their hash codes differ between processes. Let hashCode call"
              + " Objects.hashCode(...), or keep the constant's name() instead of the constant",
          e);
    }
  }

  private static Object without(Object copy, Set<Field> varying, int hash)
      throws IllegalAccessException {
    for (Field field : FIELDS.get(copy.getClass())) {
      if (varying.contains(field)) {
        field.set(copy, nothing(field.getType()));
      } else if (field.getType() == int.class && field.getInt(copy) == hash) {
        if (!Modifier.isTransient(field.getModifiers())) {
          throw KeyRefusal.of(
              copy.getClass(),
              "its field '"
                  + field.getName()
                  + "' has its hashCode, which differs between processes, as enum constants and"
                  + " classes are hashed by their identity. Make that field transient, or replace"
                  + " the constant by its name");
        }
        field.setInt(copy, 0);
      }
    }
    return copy;
  }

  private static Object without(Object record, Set<Field> varying) {
    RecordShape shape = RecordShape.of(record.getClass());
    @Nullable Object[] components = new Object[shape.names().size()];
    for (int i = 0; i < components.length; i++) {
      String name = shape.names().get(i);
      Optional<Field> varies =
          varying.stream().filter(field -> field.getName().equals(name)).findAny();
      components[i] =
          varies.isPresent() ? nothing(varies.get().getType()) : shape.component(i, record);
    }
    return shape.create(components);
  }

  /**
   * Returns the empty value of a field. For a collection it is not null, since few hashCode methods
   * expect null there.
   */
  private static @Nullable Object nothing(Class<?> type) {
    Object collection =
        type.isArray()
            ? Array.newInstance(type.getComponentType(), 0)
            : EMPTY.stream().filter(type::isInstance).findFirst().orElse(null);
    return type == Object.class ? null : collection;
  }

  /** Returns whether a field of the type can hold an object with an unstable hash code. */
  private static boolean mayVary(Class<?> type) {
    return !type.isPrimitive() && KeyScalars.of(type) == null;
  }

  private static boolean varies(@Nullable Object value, int depth) {
    if (value == null || KeyScalars.of(value.getClass()) != null) {
      return false;
    }
    if (value instanceof Enum<?> || value instanceof Class<?> || depth > Nesting.MAX_KEY_DEPTH) {
      return true;
    }
    if (value instanceof Object[] array) {
      return anyVaries(Arrays.asList(array), depth);
    }
    if (value instanceof Collection<?> elements) {
      return anyVaries(elements, depth);
    }
    if (value instanceof Map<?, ?> map) {
      return anyVaries(map.keySet(), depth) || anyVaries(map.values(), depth);
    }
    if (value instanceof Map.Entry<?, ?> entry) {
      return varies(entry.getKey(), depth + 1) || varies(entry.getValue(), depth + 1);
    }
    if (value instanceof Optional<?> optional) {
      return varies(optional.orElse(null), depth + 1);
    }
    if (isJdk(value.getClass())) {
      return false;
    }
    for (Field field : FIELDS.get(value.getClass())) {
      if (mayVary(field.getType()) && varies(get(field, value), depth + 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyVaries(Collection<? extends @Nullable Object> elements, int depth) {
    for (Object element : elements) {
      if (varies(element, depth + 1)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Object get(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }
}

package io.rockpool.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;

/**
 * How deep values of a type can nest. Reading a value takes stack for each level, so there is a
 * limit. The libraries keep it in reading, but not all of it in writing: what would not come back
 * must be found out before it is stored.
 */
final class Nesting {
  /** Each level takes up to a kilobyte of the stack. Deeper is a linked list in disguise. */
  static final int MAX_DEPTH = 512;

  /** Far deeper than any key that was meant as one; a list within itself would go on for ever. */
  static final int MAX_KEY_DEPTH = 64;

  /** Value classes of the JDK that are not final, although their instances hold no others. */
  private static final Set<Class<?>> OPEN_LEAVES =
      Set.of(BigInteger.class, BigDecimal.class, Date.class, ZoneId.class);

  private final Set<Type> onPath = new HashSet<>();
  private final Set<Type> bounded = new HashSet<>();

  private Nesting() {}

  /**
   * Returns whether the declared type alone keeps its values from nesting deep: it does not contain
   * itself, and nothing in it may be of any class.
   */
  static boolean isBounded(Type type) {
    return new Nesting().test(type);
  }

  /** Returns whether that many bytes can hold a value too deep: each level takes one or more. */
  static boolean mayBeTooDeep(int encodedBytes) {
    return encodedBytes > MAX_DEPTH;
  }

  private boolean test(Type type) {
    if (bounded.contains(type)) {
      return true;
    }
    if (!onPath.add(type)) {
      return false;
    }
    boolean result = testOnce(type);
    onPath.remove(type);
    if (result) {
      bounded.add(type);
    }
    return result;
  }

  private boolean testOnce(Type type) {
    Class<?> raw = GenericTypes.rawClass(type);
    if (raw.isPrimitive() || raw.isEnum() || OPEN_LEAVES.contains(raw)) {
      return true;
    }
    if (raw.isArray()) {
      return test(raw.getComponentType());
    }
    if (type instanceof ParameterizedType p
        && !Arrays.stream(p.getActualTypeArguments()).map(this::known).allMatch(this::test)) {
      return false;
    }
    if (raw.getName().startsWith("java.")) {
      return type instanceof ParameterizedType || Modifier.isFinal(raw.getModifiers());
    }
    if (raw.isSealed()) {
      return Arrays.stream(raw.getPermittedSubclasses()).allMatch(this::test)
          && (raw.isInterface() || testFields(raw, type));
    }
    return Modifier.isFinal(raw.getModifiers()) && testFields(raw, type);
  }

  private Type known(Type argument) {
    return GenericTypes.resolve(argument, GenericTypes.arguments(argument));
  }

  private boolean testFields(Class<?> raw, Type type) {
    for (Field field : raw.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && !test(GenericTypes.resolve(field.getGenericType(), GenericTypes.arguments(type)))) {
        return false;
      }
    }
    Class<?> parent = raw.getSuperclass();
    return parent == Object.class
        || parent == Record.class
        || test(GenericTypes.resolve(raw.getGenericSuperclass(), GenericTypes.arguments(type)));
  }
}

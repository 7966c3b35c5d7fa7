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
 * The limits on how deep values nest, and which types cannot reach them. Reading takes stack for
 * each level. Fory and the JDK check the limit when they read, but not always when they write, so
 * values that may be too deep are read before they are stored.
 */
final class Nesting {
  /** Each level takes up to 1 KiB of the stack. Deeper values are mostly linked lists. */
  static final int MAX_DEPTH = 512;

  /** Far deeper than real keys. The limit stops at a list that contains itself. */
  static final int MAX_KEY_DEPTH = 64;

  /** Value classes of the JDK that are not final, although their instances hold no others. */
  private static final Set<Class<?>> OPEN_LEAVES =
      Set.of(BigInteger.class, BigDecimal.class, Date.class, ZoneId.class);

  private final Set<Type> onPath = new HashSet<>();
  private final Set<Type> bounded = new HashSet<>();

  private Nesting() {}

  /**
   * Returns whether values of the declared type cannot nest deep: the type does not contain itself,
   * and no part of it can be an instance of an arbitrary class.
   */
  static boolean isBounded(Type type) {
    return new Nesting().test(type);
  }

  /** Returns whether a value of this size may be too deep: each level takes at least one byte. */
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

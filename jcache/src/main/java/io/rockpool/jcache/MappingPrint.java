package io.rockpool.jcache;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fingerprint of what Hibernate maps of a class and of the application's classes that it reaches:
 * fields and getters with their types and annotations, superclasses and constants. An entry of
 * Hibernate's has the attributes by their position, so it can be read only if all of this is as it
 * was. More may count than is mapped: then an entry is missed that could have been read.
 */
final class MappingPrint {
  private static final int BYTES = 8;

  private final StringBuilder text = new StringBuilder();
  private final Set<Class<?>> seen = new HashSet<>();

  private MappingPrint() {}

  /**
   * Returns the fingerprint of a class, as 16 digits.
   *
   * @param version what else it depends on: the version of Hibernate
   * @throws LinkageError or a TypeNotPresentException if a class that it needs is missing
   */
  static String of(Class<?> type, String version) {
    MappingPrint print = new MappingPrint();
    print.text.append(version);
    print.add(type);
    byte[] text = print.text.toString().getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256.", e);
    }
  }

  private void add(Class<?> type) {
    if (type.isArray()) {
      add(type.getComponentType());
    } else if (isOfApplication(type) && seen.add(type)) {
      text.append('\n').append(type.getName()).append(' ').append(type.getGenericSuperclass());
      addAnnotations(type);
      if (type.isEnum()) {
        text.append(Stream.of(type.getEnumConstants()).map(it -> ((Enum<?>) it).name()).toList());
      }
      Arrays.stream(type.getDeclaredFields())
          .filter(it -> !Modifier.isStatic(it.getModifiers()) && !it.isSynthetic())
          .sorted(Comparator.comparing(Field::getName))
          .forEach(it -> add(it.getName(), it.getModifiers(), it.getGenericType(), it));
      Arrays.stream(type.getDeclaredMethods())
          .filter(MappingPrint::isGetter)
          .sorted(Comparator.comparing(Method::getName))
          .forEach(it -> add(it.getName(), 0, it.getGenericReturnType(), it));
      if (type.getGenericSuperclass() != null) {
        reach(type.getGenericSuperclass());
      }
    }
  }

  private static boolean isOfApplication(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    String name = type.getName();
    return loader != null
        && loader != ClassLoader.getPlatformClassLoader()
        && !name.startsWith("org.hibernate.")
        && !name.startsWith("jakarta.persistence.");
  }

  private static boolean isGetter(Method method) {
    String name = method.getName();
    return method.getParameterCount() == 0
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && (name.startsWith("get") || name.startsWith("is"));
  }

  private void add(String name, int modifiers, Type type, AnnotatedElement element) {
    text.append('\n').append(name).append(' ').append(type.getTypeName());
    text.append(Modifier.isTransient(modifiers) ? " transient" : "");
    addAnnotations(element);
    reach(type);
  }

  private void addAnnotations(AnnotatedElement element) {
    text.append(
        Arrays.stream(element.getDeclaredAnnotations())
            .map(Annotation::toString)
            .sorted()
            .collect(Collectors.joining(" ", " ", "")));
  }

  /** Adds the classes in a type. */
  private void reach(Type type) {
    if (type instanceof Class<?> plain) {
      add(plain);
    } else if (type instanceof ParameterizedType parameterized) {
      reach(parameterized.getRawType());
      Arrays.stream(parameterized.getActualTypeArguments()).forEach(this::reach);
    } else if (type instanceof GenericArrayType array) {
      reach(array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      Arrays.stream(wildcard.getUpperBounds()).forEach(this::reach);
    }
  }
}

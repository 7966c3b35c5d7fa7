package io.rockpool.internal.catalog;

import io.rockpool.codec.TypeRef;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of a handle on a store that another application of the process has opened. It
 * matters where the declared types do not name the classes of what is stored: two applications may
 * have classes of the same name.
 */
public final class HandleLoader {
  /** The end of the message for a name that cannot be opened with two loaders. */
  public static final String REFUSAL =
      "classes from another class loader. Use another name, or open the store of both applications"
          + " with the same Codecs.";

  private HandleLoader() {}

  /**
   * Returns the loader of an application that opens a store, or null if the classes of the store's
   * loader are also its own: it is the same loader, or a parent of it.
   *
   * @param store the loader of the store's codecs
   */
  public static @Nullable ClassLoader ofApplication(
      @Nullable ClassLoader application, ClassLoader store) {
    for (ClassLoader its = store; its != null; its = its.getParent()) {
      if (its == application) {
        return null;
      }
    }
    return application;
  }

  /** Returns a loader, or null if all types name the classes of what is stored. */
  public static @Nullable ClassLoader of(@Nullable ClassLoader loader, List<TypeRef<?>> types) {
    return loader != null && types.stream().anyMatch(it -> isGeneral(it.type())) ? loader : null;
  }

  /**
   * As {@link #of}, or null if all types are the JDK's: each loader may have a memory of its own.
   */
  public static @Nullable ClassLoader ofCache(
      @Nullable ClassLoader loader, List<TypeRef<?>> types) {
    boolean isOfJdk = types.stream().allMatch(it -> it.toString().matches("(java[.][^<]*[<>,]*)+"));
    return isOfJdk ? of(loader, types) : loader;
  }

  private static boolean isGeneral(Type type) {
    return isGeneral(type, new HashSet<>());
  }

  /**
   * Whether instances of a type, or the objects that they hold, are of classes that it does not
   * name.
   *
   * @param met the classes that are being looked at
   */
  private static boolean isGeneral(Type type, Set<Class<?>> met) {
    if (type instanceof ParameterizedType it) {
      return Stream.of(it.getActualTypeArguments()).anyMatch(each -> isGeneral(each, met))
          || !isOfJdk((Class<?>) it.getRawType());
    }
    if (type instanceof GenericArrayType it) {
      return isGeneral(it.getGenericComponentType(), met);
    }
    if (type instanceof WildcardType it) {
      return Stream.of(it.getUpperBounds()).anyMatch(each -> isGeneral(each, met));
    }
    if (!(type instanceof Class<?> it)) {
      return true;
    }
    if (it.isArray()) {
      return isGeneral(it.getComponentType(), met);
    }
    if (it.isPrimitive() || it.isEnum() || it == Class.class || !met.add(it)) {
      return false;
    }
    if (isOfJdk(it)) {
      return it.isInterface()
          || it == Object.class
          || it == Number.class
          || it.getTypeParameters().length > 0
          || Throwable.class.isAssignableFrom(it);
    }
    return it.isSealed()
        ? Stream.of(it.getPermittedSubclasses()).anyMatch(each -> isGeneral(each, met))
        : !Modifier.isFinal(it.getModifiers())
            || it.getTypeParameters().length > 0
            || holds(it, met);
  }

  /** Whether a field of a class, or of its superclasses, holds objects of other classes. */
  private static boolean holds(Class<?> type, Set<Class<?>> met) {
    try {
      for (Class<?> c = type; c != null && !isOfJdk(c); c = c.getSuperclass()) {
        for (Field field : c.getDeclaredFields()) {
          int ignored = Modifier.STATIC | Modifier.TRANSIENT;
          if ((field.getModifiers() & ignored) == 0 && isGeneral(field.getGenericType(), met)) {
            return true;
          }
        }
      }
      return false;
    } catch (LinkageError | TypeNotPresentException e) {
      return true; // a class of a field is missing
    }
  }

  /** Its values are of classes of the JDK, unless it is an interface or holds anything. */
  private static boolean isOfJdk(Class<?> type) {
    return type.getName().startsWith("java.");
  }
}

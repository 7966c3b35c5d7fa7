package io.rockpool.internal.catalog;

import io.rockpool.codec.TypeRef;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.List;
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

  /** Whether instances of a type are of classes that it does not name. */
  private static boolean isGeneral(Type type) {
    if (type instanceof ParameterizedType it) {
      return Arrays.stream(it.getActualTypeArguments()).anyMatch(HandleLoader::isGeneral);
    }
    if (type instanceof GenericArrayType it) {
      return isGeneral(it.getGenericComponentType());
    }
    if (type instanceof WildcardType it) {
      return Stream.of(it.getUpperBounds()).anyMatch(HandleLoader::isGeneral);
    }
    if (!(type instanceof Class<?> it)) {
      return true;
    }
    if (it.isArray()) {
      return isGeneral(it.getComponentType());
    }
    boolean isOpen = it.isInterface() || Modifier.isAbstract(it.getModifiers());
    boolean hasOwnValues = it.isPrimitive() || it.isEnum() || it.isSealed() || isOfJdk(it);
    return it == Object.class
        || it == Number.class
        || it.getTypeParameters().length > 0
        || (isOpen && !hasOwnValues);
  }

  /** A class of the JDK with subclasses of its own, such as {@link java.time.ZoneId}. */
  private static boolean isOfJdk(Class<?> type) {
    return !type.isInterface() && type.getName().startsWith("java.");
  }
}

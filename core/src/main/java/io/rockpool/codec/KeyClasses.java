package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The application's classes in keys: which have a registered codec, and which may be decoded. A
 * class may be decoded if it is allowed, or if this process has written it in a key. A name in
 * stored bytes loads no other class.
 */
final class KeyClasses {
  private final RegisteredCodecs codecs;
  private final AllowedClasses allowed;
  private final @Nullable ForeignObjects foreign;
  private final Map<Class<?>, Optional<Codec<Object>>> registered = new ConcurrentHashMap<>();
  private final Map<Class<?>, Boolean> contentEquality = new ConcurrentHashMap<>();

  /**
   * @param foreign what writes objects that only their equals tells apart; null if nothing may
   */
  KeyClasses(RegisteredCodecs codecs, AllowedClasses allowed, @Nullable ForeignObjects foreign) {
    this.codecs = codecs;
    this.allowed = allowed;
    this.foreign = foreign;
  }

  /**
   * Returns whether a list, set or map compares its content only, as its interface requires. All of
   * the JDK's do, except {@code IdentityHashMap}. Other classes are tested with their first
   * instance.
   */
  boolean hasContentEquality(Object value) {
    Class<?> type = value.getClass();
    if (type.getClassLoader() == null) {
      return type != IdentityHashMap.class;
    }
    Boolean known = contentEquality.get(type);
    if (known == null) {
      known = equalsCopy(value); // not under the map's lock, as it is the application's code
      contentEquality.put(type, known);
    }
    return known;
  }

  private static boolean equalsCopy(Object value) {
    Object copy =
        value instanceof List<?> list
            ? new ArrayList<>(list)
            : value instanceof Set<?> set
                ? new HashSet<>(set)
                : value instanceof Map<?, ?> map ? new HashMap<>(map) : value;
    try {
      return value.equals(copy) && copy.equals(value) && value.hashCode() == copy.hashCode();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Returns the name under which a class is written, and allows the class from now on.
   *
   * @throws UnencodableValueException if the codecs are strict, and it is neither declared nor
   *     allowed
   */
  String name(Class<?> type) {
    if (allowed.refusesKey(type)) {
      throw new UnencodableValueException(allowed.refusal(type), null, type.getName(), null);
    }
    allowed.learnKey(type);
    return type.getName();
  }

  /**
   * Returns the class that was written under a name.
   *
   * @throws UndecodableValueException if the class is neither allowed nor written by this process
   */
  Class<?> named(String name) {
    Class<?> type = allowedOrNull(name);
    if (type != null) {
      return type;
    }
    throw new UndecodableValueException(
        "A stored key holds an instance of "
            + name
            + ". It is read back once this process has used such a key itself, or where the class"
            + " is allowed.",
        null);
  }

  private @Nullable Class<?> allowedOrNull(String name) {
    try {
      return allowed.load(name);
    } catch (ClassNotFoundException e) {
      throw new UndecodableValueException("There is no class " + name + " here (any more).", e);
    }
  }

  /**
   * Returns the name under which a class that is itself part of a key is written.
   *
   * @throws UnencodableValueException if another process may give the name to another class
   */
  String nameOfClass(Class<?> type) {
    Class<?> element = AllowedClasses.element(type);
    boolean lasts = !element.isHidden() && !Proxy.isProxyClass(element);
    if (lasts && !isJdk(element)) {
      String unused = name(element);
      lasts = allowed.allows(element);
    }
    if (!lasts) {
      throw new UnencodableValueException(
          "Class "
              + type.getName()
              + " cannot be a key or part of one: its name does not find it again. Use the class or"
              + " interface that it stands for.",
          null);
    }
    return type.getName();
  }

  private static boolean isJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader(); // null for a primitive type
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /**
   * Returns the class that {@link #nameOfClass} wrote. No instance of it is made, so each of the
   * JDK's is allowed.
   *
   * @throws UndecodableValueException if it is neither the JDK's, nor allowed, nor was in this
   *     process
   */
  Class<?> classNamed(String name) {
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions > 0 && name.startsWith("L", dimensions) && name.endsWith(";")) {
      Class<?> type = classNamed(name.substring(dimensions + 1, name.length() - 1));
      return arrayOf(type, dimensions);
    }
    Class<?> primitive = TypeNames.primitive(name);
    Class<?> known = primitive != null ? primitive : allowedOrNull(name);
    if (known != null) {
      return known;
    }
    try { // Finds no class of the application's.
      return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException e) {
      return named(name);
    }
  }

  private static Class<?> arrayOf(Class<?> element, int dimensions) {
    try {
      return Array.newInstance(element, new int[dimensions]).getClass();
    } catch (IllegalArgumentException e) {
      throw new UndecodableValueException("There are no such arrays of " + element + ".", e);
    }
  }

  /** Returns the codec that the application registered for a class, or null. */
  @Nullable Codec<Object> registered(Class<?> type) {
    Optional<Codec<Object>> known = registered.get(type);
    if (known == null) {
      known = find(type);
      registered.put(type, known);
    }
    return known.orElse(null);
  }

  /** Returns the codec that the application registered for the class of a name, or null. */
  @Nullable Codec<Object> registered(String name) {
    Class<?> type = codecs.classNamed(name);
    return type == null ? null : registered(type);
  }

  @SuppressWarnings("unchecked") // only asked to encode instances of its class
  private Optional<Codec<Object>> find(Class<?> type) {
    return Optional.ofNullable((Codec<Object>) codecs.of(TypeRef.of(type)));
  }

  /** Returns what is written of an object that only its {@code equals} tells from others. */
  ForeignObjects.Encoded foreign(Object value) {
    if (foreign == null) {
      throw KeyRefusal.of(
          value.getClass(),
          "a collection finds its elements by their bytes, and those of equal instances may"
              + " differ");
    }
    return foreign.encode(value);
  }

  /** Reads the state of such an object. */
  Object foreign(byte[] bytes, int offset, int length) {
    if (foreign == null) {
      throw new UndecodableValueException("Elements of collections have no foreign objects.", null);
    }
    try {
      return foreign.decode(bytes, offset, length);
    } catch (UndecodableValueException e) {
      allowed.grown.noteMiss(e);
      throw e;
    }
  }
}

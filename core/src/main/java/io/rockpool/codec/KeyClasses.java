package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The application's classes that keys are made of: which of them have a codec of their own, and
 * which may be read back. Those are the allowed ones, and all that this process has written itself;
 * no other class is loaded because stored bytes name it.
 */
final class KeyClasses {
  private final Codecs codecs;
  private final AllowedClasses allowed;
  private final @Nullable ForeignObjects foreign;
  private final Map<Class<?>, Optional<Codec<Object>>> registered = new ConcurrentHashMap<>();
  private final Map<Class<?>, Boolean> contentEquality = new ConcurrentHashMap<>();

  /**
   * @param foreign what writes objects that only their equals tells apart; null if nothing may
   */
  KeyClasses(Codecs codecs, AllowedClasses allowed, @Nullable ForeignObjects foreign) {
    this.codecs = codecs;
    this.allowed = allowed;
    this.foreign = foreign;
  }

  /**
   * Returns whether a list, set or map is equal to others by its content alone, as its interface
   * asks for. The JDK's are; another class is tried with its first instance.
   */
  boolean hasContentEquality(Object value) {
    Class<?> type = value.getClass();
    return type.getClassLoader() == null
        || contentEquality.computeIfAbsent(type, unknown -> equalsCopy(value));
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
   * Returns the name under which a class is written, from which it is known from now on.
   *
   * @throws io.rockpool.error.UnencodableValueException if only allowed ones are written
   */
  String name(Class<?> type) {
    allowed.writeKey(type);
    return type.getName();
  }

  /**
   * Returns the class that was written under a name.
   *
   * @throws UndecodableValueException if it is neither allowed nor was in this process
   */
  Class<?> named(String name) {
    try {
      Class<?> type = allowed.load(name);
      if (type != null) {
        return type;
      }
    } catch (ClassNotFoundException e) {
      throw new UndecodableValueException("There is no class " + name + " here (any more).", e);
    }
    throw new UndecodableValueException(
        "A stored key holds an instance of "
            + name
            + ". It is read back once this process has used such a key itself, or where the class"
            + " is allowed.",
        null);
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

  @SuppressWarnings("unchecked") // only asked to encode instances of its class
  private Optional<Codec<Object>> find(Class<?> type) {
    return Optional.ofNullable((Codec<Object>) codecs.registeredFor(TypeRef.of(type)));
  }

  /** Returns what is written of an object that only its {@code equals} tells from others. */
  ForeignObjects.Encoded foreign(Object value) {
    if (foreign == null) {
      throw ForeignObjects.refusal(
          value.getClass(),
          "a collection finds its elements by their bytes, and those of equal instances may differ");
    }
    return foreign.encode(value);
  }

  /** Reads the state of such an object. */
  Object foreign(byte[] bytes, int offset, int length) {
    if (foreign == null) {
      throw new UndecodableValueException("Elements of collections have no foreign objects.", null);
    }
    return foreign.decode(bytes, offset, length);
  }
}

package io.rockpool.spring;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the application's that a cache's keys are made of: which of them have a codec of
 * their own, and which have been seen. Keys are only read back by who iterates over a cache; no
 * class is loaded because stored bytes name it.
 */
final class KeyClasses {
  private final Codecs codecs;
  private final Map<String, Class<?>> seen = new ConcurrentHashMap<>();
  private final Map<Class<?>, Optional<Codec<Object>>> registered = new ConcurrentHashMap<>();

  KeyClasses(Codecs codecs) {
    this.codecs = codecs;
  }

  /** The name under which a class is written, from which it is known from now on. */
  String name(Class<?> type) {
    seen.putIfAbsent(type.getName(), type);
    return type.getName();
  }

  /**
   * The class that was written under a name.
   *
   * @throws UndecodableValueException if none was in this process
   */
  Class<?> named(String name) {
    Class<?> type = seen.get(name);
    if (type == null) {
      throw new UndecodableValueException(
          "A stored key holds an instance of "
              + name
              + ", which is read back once this process has used such a key itself.",
          null);
    }
    return type;
  }

  /** The codec that the application registered for a class, or null. */
  @Nullable Codec<Object> registered(Class<?> type) {
    return registered.computeIfAbsent(type, this::find).orElse(null);
  }

  @SuppressWarnings("unchecked") // only asked to encode instances of its class
  private Optional<Codec<Object>> find(Class<?> type) {
    Codec<?> codec;
    try {
      codec = codecs.keyCodec(TypeRef.of(type));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // The library has none for keys of it, so nobody registered one.
    }
    return isOfTheLibrary(codec.id()) ? Optional.empty() : Optional.of((Codec<Object>) codec);
  }

  /** See {@link Codec#id}, which reserves them. */
  private static boolean isOfTheLibrary(String id) {
    return switch (id) {
      case "string", "bytes", "enum", "decimal", "fory", "java", "any" -> true;
      default -> id.startsWith("ordered:") || id.startsWith("text:");
    };
  }
}

package io.rockpool.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A problem with an object or its bytes. */
abstract class CodecException extends RockpoolException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String name;
  private final @Nullable String className;
  private final @Nullable String key;

  /** Takes from a cause of this kind what is not known here. */
  CodecException(
      String message,
      @Nullable String name,
      @Nullable String className,
      @Nullable String key,
      @Nullable Throwable cause) {
    super(message, cause);
    CodecException known = cause instanceof CodecException codec ? codec : null;
    this.name = name == null && known != null ? known.name : name;
    this.className = known != null && known.className != null ? known.className : className;
    this.key = key == null && known != null ? known.key : key;
  }

  /** The name of the cache or structure in the store, if it is known. */
  public final Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /** The stored key, as messages show keys: its first bytes, escaped; if it is known. */
  public final Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** The name of the class that the problem is about, if it is known. */
  public final Optional<String> className() {
    return Optional.ofNullable(className);
  }
}

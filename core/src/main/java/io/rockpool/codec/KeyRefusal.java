package io.rockpool.codec;

import io.rockpool.error.UnencodableValueException;
import org.jspecify.annotations.Nullable;

/** The message for an object that cannot be a key. */
final class KeyRefusal {
  private KeyRefusal() {}

  static UnencodableValueException of(Class<?> type, String why) {
    return of(type, why, null);
  }

  static UnencodableValueException of(Class<?> type, String why, @Nullable Throwable cause) {
    return new UnencodableValueException(
        "An instance of "
            + type.getName()
            + " cannot be a key or part of one: "
            + why
            + ". Use what identifies it, such as its id, make it a record, or register a codec for"
            + " it with Codecs.builder().register(...).",
        null,
        type.getName(),
        cause);
  }
}

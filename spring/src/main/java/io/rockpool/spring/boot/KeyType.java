package io.rockpool.spring.boot;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.cache.interceptor.SimpleKey;

/** What the text of a key is that an operator gives. */
public enum KeyType {
  /** The text itself. */
  STRING,
  /** An {@code int}. */
  INT,
  /** A {@code long}. */
  LONG,
  /** A {@link java.util.UUID}. */
  UUID,
  /** A {@link LocalDate}. */
  DATE,
  /**
   * What a key's {@code toString} gives, whatever its type: such as {@code SimpleKey [a, 1]} of a
   * method with two parameters, {@code Id[shop=s, number=3]} of a record, a constant of an enum.
   */
  TEXT,
  /** No text: the key of a method without parameters. */
  NONE;

  /**
   * The keys that a text may stand for: of the given type, or of every type with such a text.
   *
   * @throws InvalidEndpointRequestException if it is not a text of the given type
   */
  static List<Object> candidates(@Nullable String text, @Nullable KeyType type) {
    if (type == NONE) {
      return List.of(SimpleKey.EMPTY);
    }
    String given = text == null ? "" : text;
    if (type == null) {
      return Stream.of(STRING, INT, LONG, UUID, DATE)
          .map(each -> each.parse(given))
          .filter(Objects::nonNull)
          .map(Objects::requireNonNull)
          .toList();
    }
    Object key = type.parse(given);
    if (key == null) {
      throw new InvalidEndpointRequestException(
          "The key is not of the type " + type + ".", "key is not of its keyType");
    }
    return List.of(key);
  }

  private @Nullable Object parse(String text) {
    try {
      return switch (this) {
        case STRING, TEXT -> text;
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case UUID -> java.util.UUID.fromString(text);
        case DATE -> LocalDate.parse(text);
        case NONE -> SimpleKey.EMPTY;
      };
    } catch (IllegalArgumentException | DateTimeParseException e) {
      return null; // the text of another type
    }
  }
}

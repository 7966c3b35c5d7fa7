package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sentences for bytes that are not those of a value. */
final class Undecodable {
  private Undecodable() {}

  static UndecodableValueException width(String id, int expected, int found) {
    return damaged(id, "expected " + expected + " bytes, found " + found, null);
  }

  /** The sentence for a value that was encoded on trial and did not come back. */
  static UnencodableValueException unreadable(Object value, UndecodableValueException cause) {
    return new UnencodableValueException(
        "The value of class "
            + value.getClass().getName()
            + " could not be read back, so it was not stored. If its objects are nested more than "
            + Nesting.MAX_DEPTH
            + " deep, keep them in a collection instead; else register a codec for its class. "
            + cause.getMessage(),
        cause);
  }

  /** Refuses a value that was encoded on trial and came back as another. */
  static void requireSame(TypeRef<?> type, Object value, Object copy, Supplier<?> anotherCopy) {
    String difference = Sameness.difference(value, copy, anotherCopy);
    if (difference != null) {
      throw new UnencodableValueException(
          "The value of class "
              + value.getClass().getName()
              + " was read back as another, so it was not stored: value"
              + difference
              + ". Register a codec for "
              + type
              + ", or keep in it only what decides about its equality.",
          null);
    }
  }

  static UndecodableValueException damaged(String id, String what, @Nullable Throwable cause) {
    return new UndecodableValueException(
        "These are not bytes that codec '"
            + id
            + "' writes: "
            + what
            + ". The record is damaged or was written by another codec.",
        cause);
  }
}

package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import org.jspecify.annotations.Nullable;

/** The sentences for bytes that are not those of a value. */
final class Undecodable {
  private Undecodable() {}

  static UndecodableValueException width(String id, int expected, int found) {
    return damaged(id, "expected " + expected + " bytes, found " + found, null);
  }

  /** The sentence for a value that was encoded on trial and did not come back. */
  static UnencodableValueException unreadable(TypeRef<?> type, UndecodableValueException cause) {
    return new UnencodableValueException(
        "The value of type "
            + type
            + " could not be read back, so it was not stored; if its objects are nested more than "
            + Nesting.MAX_DEPTH
            + " deep, keep them in a collection instead. "
            + cause.getMessage(),
        cause);
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

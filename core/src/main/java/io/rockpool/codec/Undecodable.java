package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import org.jspecify.annotations.Nullable;

/** The sentences for bytes that are not those of a value. */
final class Undecodable {
  private Undecodable() {}

  static UndecodableValueException width(String id, int expected, int found) {
    return damaged(id, "expected " + expected + " bytes, found " + found, null);
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

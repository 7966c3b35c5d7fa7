package io.rockpool.codec;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import org.jspecify.annotations.Nullable;

/** The exceptions for bytes that cannot be decoded. */
final class Undecodable {
  private Undecodable() {}

  static UndecodableValueException width(String id, int expected, int found) {
    return damaged(id, "expected " + expected + " bytes, found " + found, null);
  }

  /** Returns the exception for a value whose bytes could not be decoded before it was stored. */
  static UnencodableValueException unreadable(Object value, UndecodableValueException cause) {
    return new UnencodableValueException(
        "The value of class "
            + value.getClass().getName()
            + " could not be read back, so it was not stored. If its objects are nested more than "
            + Nesting.MAX_DEPTH
            + " deep, keep them in a collection instead; else register a codec for its class. "
            + cause.getMessage(),
        null,
        value.getClass().getName(),
        cause);
  }

  /** Rethrows errors of the virtual machine, except a stack overflow, which the bytes may cause. */
  static void rethrowIfFatal(@Nullable Throwable e) {
    if (e instanceof VirtualMachineError error && !(e instanceof StackOverflowError)) {
      throw error;
    }
  }

  /**
   * Returns what a catalog of classes threw, such as for a server that does not answer, if that is
   * a cause of an exception. It says nothing of the bytes, or of the value.
   */
  static @Nullable RuntimeException ofCatalog(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof StoreClosedException closed) {
        return closed;
      }
      if (t instanceof RockpoolException failure
          && !(t instanceof UndecodableValueException)
          && !(t instanceof UnencodableValueException)) {
        return failure;
      }
    }
    return null;
  }

  /** Throws what a catalog of classes threw, see {@link #ofCatalog}. */
  static void rethrowIfOfCatalog(Throwable e) {
    RuntimeException failure = ofCatalog(e);
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns the exception for an application's class that needs a missing or broken class. */
  static UndecodableValueException linkage(String type, LinkageError cause) {
    return new UndecodableValueException(
        "An instance of "
            + type
            + " could not be made, since a class that it needs is missing or broken: "
            + cause // which names classes and their members
            + '.',
        null,
        type,
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

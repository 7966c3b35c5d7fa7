package io.rockpool.codec;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.fory.codegen.CodegenException;
import org.apache.fory.exception.ForyException;
import org.jspecify.annotations.Nullable;

/** The exceptions for bytes that cannot be decoded. */
final class Undecodable {
  /** The methods that read a constant by its name, in Fory and in the JDK. */
  private static final Set<String> ENUM_READERS =
      Set.of(
          "org.apache.fory.serializer.EnumSerializer.handleUnknownEnumValue",
          "java.io.ObjectInputStream.readEnum");

  /** What Fory says of a class whose kind it has a number for. */
  private static final Pattern OTHER_KIND =
      Pattern.compile(
          "^(?:TypeDef root kind does not match the decoded class: class="
              + "|Class layer count mismatch for child container type )([\\w.$]+)[,:]");

  /** What Fory says of a public inner class. */
  private static final Pattern INNER = Pattern.compile("when (\\S+) is instance inner class");

  /** The end of messages about stored bytes, which messages about refused ones omit. */
  static final String DAMAGED = ". The record is damaged, or a class in it has another form now";

  private static final String DAMAGED_OR_OTHER =
      ". The record is damaged, a class in it has another form now, or was written by another"
          + " codec.";

  private static final String AGAIN =
      " Read it with the class that wrote it, or write the value again.";

  private static final Set<String> OWN_READERS =
      Set.of("readExternal", "readObject", "readObjectNoData", "readResolve");

  private Undecodable() {}

  static UndecodableValueException width(String id, int expected, int found) {
    return damaged(id, "expected " + expected + " bytes, found " + found, null);
  }

  /**
   * Returns the exception for a value whose bytes could not be decoded before it was stored.
   *
   * @param place a sentence that says which part is to blame; empty if none is, or it lies deep
   */
  static UnencodableValueException unreadable(
      Object value, UndecodableValueException cause, String place) {
    String reason =
        String.valueOf(cause.getMessage())
            .replace(DAMAGED_OR_OTHER, ".")
            .replace(DAMAGED, "")
            .replace(AGAIN, "");
    return new UnencodableValueException(
        "The value of class "
            + value.getClass().getName()
            + " could not be read back, so it was not stored. "
            + reason
            + (reason.endsWith(".") ? "" : ".")
            + place
            + (place.isEmpty()
                ? " If its objects are nested more than "
                    + Nesting.MAX_DEPTH
                    + " deep, keep them in a collection instead."
                : "")
            + Refusals.INSTEAD,
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

  /**
   * Returns the exception for a constant of an enum that is gone; null if this is not the cause.
   * The text of another exception may show a value, so this one must come from a reader of enums.
   */
  static @Nullable UndecodableValueException missingConstant(Throwable e, TypeRef<?> type) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      StackTraceElement[] trace = t.getStackTrace();
      if (trace.length > 0
          && (t instanceof IllegalArgumentException || t instanceof InvalidObjectException)
          && ENUM_READERS.contains(trace[0].getClassName() + '.' + trace[0].getMethodName())) {
        return new UndecodableValueException(
            "A value of "
                + type
                + " has a constant of an enum that is gone: "
                + t.getMessage()
                + ". Give the enum the constant back, or write the value again.",
            e);
      }
    }
    return null;
  }

  /**
   * Returns the exception for a class that Fory writes in another way now, or whose own method does
   * not read what it has written; null if this is not the cause.
   */
  static @Nullable UndecodableValueException changedForm(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof InvalidClassException invalid && invalid.classname != null) {
        return changedForm(invalid.classname, "which has another form now", e);
      }
      Matcher kind = OTHER_KIND.matcher(String.valueOf(t.getMessage()));
      if (t instanceof ForyException && kind.find()) {
        return changedForm(
            kind.group(1),
            "which is of another kind now: a record, an enum, a collection, one with methods of its"
                + " own that write it, or neither",
            e);
      }
      for (StackTraceElement frame : t.getStackTrace()) {
        if (OWN_READERS.contains(frame.getMethodName())
            && !frame.getClassName().startsWith("java.")
            && !frame.getClassName().startsWith("org.apache.fory.")) {
          return changedForm(
              frame.getClassName(),
              "whose method " + frame.getMethodName() + " does not read what was written",
              e);
        }
      }
    }
    return null;
  }

  private static UndecodableValueException changedForm(String type, String how, Throwable cause) {
    return new UndecodableValueException(
        "The value has an instance of class " + type + ", " + how + "." + AGAIN, null, type, cause);
  }

  /**
   * Returns the exception for a public class that refers to an object of the class around it, which
   * Fory's generated code cannot create; null if this is not the cause.
   */
  static @Nullable UndecodableValueException innerClass(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      Matcher inner = INNER.matcher(String.valueOf(t.getMessage()));
      if (t instanceof CodegenException && inner.find()) {
        return new UndecodableValueException(
            "Class "
                + inner.group(1)
                + " is public and an inner class: its objects refer to one of the class around it."
                + " Declare it static, as a record, or not public; else register a codec.",
            null,
            inner.group(1),
            e);
      }
    }
    return null;
  }

  /** Returns the exception for a class that had fields, and is an enum or an interface now. */
  static UndecodableValueException otherKind(Class<?> here) {
    return new UndecodableValueException(
        "The value has an instance of class "
            + here.getName()
            + ", which is an enum or an interface now. Give the new type another name, or write the"
            + " value again.",
        null,
        here.getName(),
        null);
  }

  /** Returns the exception for an application's class that needs a missing or broken class. */
  static UndecodableValueException linkage(String type, LinkageError cause) {
    return new UndecodableValueException(
        "An instance of "
            + type
            + " could not be made, since a class that it needs is missing or broken: "
            + cause // which names classes and their members
            + '.'
            + ModuleAccess.hint(cause),
        null,
        type,
        cause);
  }

  static UndecodableValueException damaged(String id, String what, @Nullable Throwable cause) {
    boolean holdsClasses = id.equals(ValueTag.FORY_ID) || id.equals(ValueTag.JAVA_ID);
    return new UndecodableValueException(
        "These are not bytes that codec '"
            + id
            + "' writes: "
            + what
            + (holdsClasses
                ? DAMAGED_OR_OTHER
                : ". The record is damaged or was written by another codec."),
        cause);
  }
}

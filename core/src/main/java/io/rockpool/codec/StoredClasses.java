package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes that one stream of the JDK describes. The JDK itself reads an instance without the
 * state of a superclass that is new, and reports other changes without the names of fields.
 */
final class StoredClasses {
  private final GrownClasses grown;
  private final Map<String, Set<String>> fields = new HashMap<>();
  private final Set<String> described = new HashSet<>();
  private final Set<Class<?>> classes = new HashSet<>();
  private boolean lostFields;

  /** The first field whose declared type is another one; null if there is none. */
  private @Nullable UndecodableValueException retyped;

  StoredClasses(GrownClasses grown) {
    this.grown = grown;
  }

  /**
   * Adds a class.
   *
   * @param stored the class as the stream describes it
   * @param here the class of this name
   * @throws UndecodableValueException if its instances cannot be read
   */
  void add(ObjectStreamClass stored, Class<?> here) {
    described.add(here.getName());
    ObjectStreamClass local = ObjectStreamClass.lookup(here);
    if (local == null || here.getName().startsWith("java.")) {
      return;
    }
    if (here.isInterface() || (here.isEnum() && stored.getFields().length > 0)) {
      throw Undecodable.otherKind(here);
    }
    boolean isPlain = !here.isArray() && !here.isEnum() && !here.isRecord();
    if (isPlain && stored.getSerialVersionUID() != local.getSerialVersionUID()) {
      throw new UndecodableValueException(
          "The value was written when class "
              + here.getName()
              + " had the serialVersionUID "
              + stored.getSerialVersionUID()
              + ", which is "
              + local.getSerialVersionUID()
              + " now. Declare the former one if the class can read the value, or write the value"
              + " again.",
          null,
          here.getName(),
          null);
    }
    Set<String> names = new HashSet<>();
    int common = 0;
    for (ObjectStreamField field : stored.getFields()) {
      names.add(field.getName());
      ObjectStreamField now = local.getField(field.getName());
      if (now == null) {
        lostFields = true;
      } else {
        common++;
        noteType(field, now, here);
      }
    }
    fields.put(here.getName(), names);
    classes.add(here);
    if (common < local.getFields().length) {
      grown.check(here, stored, local);
    }
  }

  private void noteType(ObjectStreamField stored, ObjectStreamField here, Class<?> owner) {
    String was = String.valueOf(stored.getTypeString());
    if (stored.getTypeCode() == here.getTypeCode()
        && was.equals(String.valueOf(here.getTypeString()))) {
      return;
    }
    UndecodableValueException changed =
        new UndecodableValueException(
            "The value was written when field '"
                + stored.getName()
                + "' of class "
                + owner.getName()
                + " had another type than "
                + here.getType().getName()
                + ". Give it its type back, give the field another name, or write the value"
                + " again.",
            null,
            owner.getName(),
            null);
    if (stored.getTypeCode() != here.getTypeCode()) {
      throw changed;
    }
    if (retyped == null) {
      retyped = changed;
    }
  }

  /** Throws the exception for a field of another type, if there is one. */
  void refuseRetypedField(Throwable cause) {
    if (retyped != null) {
      retyped.addSuppressed(cause);
      throw retyped;
    }
  }

  /**
   * Called at the end: a superclass may be described after a class.
   *
   * @throws UndecodableValueException if a class has a superclass that its instances lack, or a
   *     field that was in another class
   */
  void requireSameParents() {
    for (Class<?> type : classes) {
      Class<?> parent = type.getSuperclass();
      if (parent != null
          && ObjectStreamClass.lookup(parent) != null
          && !described.contains(parent.getName())) {
        throw new UndecodableValueException(
            "The value has an instance of class "
                + type.getName()
                + ", which extends "
                + parent.getName()
                + " now and did not when the value was written. Let it extend the former class"
                + " again, or write the value again.",
            null,
            type.getName(),
            null);
      }
      if (lostFields) {
        MovedFields.refuse(type, fields);
      }
    }
  }
}

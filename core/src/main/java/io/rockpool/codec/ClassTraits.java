package io.rockpool.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a class must still have for its stored instances to mean the same, beside its fields, as
 * checksums: its supertypes, since an object stands where one of these is declared; the type
 * arguments of its superclasses; its {@code serialVersionUID}, if it declares one; and the fields
 * that it puts by name, which Fory stores by position.
 */
final class ClassTraits {
  /** Marks the description of a class without the fields of its superclasses. */
  static final int LAYER = DeclaredType.checksum("layer");

  private ClassTraits() {}

  /** Returns the checksums of the traits of a class, without {@link #LAYER}. */
  static Set<Integer> of(Class<?> type) {
    Set<Integer> found = new TreeSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c != type) {
        addSupertype(c, found);
      }
      for (Class<?> implemented : c.getInterfaces()) {
        addInterface(implemented, found);
      }
      if (!c.getName().startsWith("java.")
          && c.getGenericSuperclass() instanceof ParameterizedType parent) {
        found.add(DeclaredType.checksum(parent));
      }
    }
    addSerialized(type, found);
    return found;
  }

  private static void addInterface(Class<?> type, Set<Integer> to) {
    addSupertype(type, to);
    for (Class<?> extended : type.getInterfaces()) {
      addInterface(extended, to);
    }
  }

  /** The JDK's supertypes stay. */
  private static void addSupertype(Class<?> type, Set<Integer> to) {
    if (!type.getName().startsWith("java.")) {
      to.add(DeclaredType.checksum(type));
    }
  }

  private static void addSerialized(Class<?> type, Set<Integer> to) {
    ObjectStreamClass described = ObjectStreamClass.lookup(type);
    if (described == null || type.isRecord() || type.isEnum()) {
      return;
    }
    if (declaresStatic(type, "serialVersionUID")) {
      to.add(DeclaredType.checksum("serialVersionUID " + described.getSerialVersionUID()));
    }
    if (declaresStatic(type, "serialPersistentFields") || putsFields(type)) {
      StringBuilder fields = new StringBuilder("fields");
      for (ObjectStreamField field : described.getFields()) {
        fields.append(' ').append(field.getName()).append(' ').append(field.getType().getName());
      }
      to.add(DeclaredType.checksum(fields.toString()));
    }
  }

  /** Whether a class writes fields by name: its code refers to the method. */
  private static boolean putsFields(Class<?> type) {
    try {
      Method unused = type.getDeclaredMethod("writeObject", ObjectOutputStream.class);
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
    String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream code = type.getResourceAsStream(file)) {
      return code == null
          || new String(code.readAllBytes(), StandardCharsets.ISO_8859_1).contains("putFields");
    } catch (IOException e) {
      return true; // The strict answer.
    }
  }

  private static boolean declaresStatic(Class<?> type, String name) {
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().equals(name) && Modifier.isStatic(field.getModifiers())) {
        return true;
      }
    }
    return false;
  }
}

package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.fory.meta.FieldInfo;
import org.apache.fory.meta.TypeDef;

/**
 * Finds fields that moved to another class of the hierarchy after a value was written. The reader
 * looks for a field in its own class only, and would leave a moved field null or zero.
 */
final class MovedFields {
  private MovedFields() {}

  /** Refuses a description of a class, as stored, from which a field has moved. */
  static void refuse(TypeDef stored, Class<?> type) {
    Map<String, Set<String>> fields = new HashMap<>();
    for (FieldInfo field : stored.getFieldsInfo()) {
      fields
          .computeIfAbsent(field.getDefinedClass(), name -> new HashSet<>())
          .add(field.getFieldName());
    }
    refuse(type, fields);
  }

  /**
   * Refuses fields, by the names of the classes that they were in, if one has moved within the
   * hierarchy of a class.
   */
  static void refuse(Class<?> type, Map<String, Set<String>> stored) {
    Map<String, Set<String>> local = new HashMap<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      local.put(c.getName(), fields(c));
    }
    local.forEach(
        (to, names) -> {
          for (String name : names) {
            if (!contains(stored, to, name)) {
              refuseIfElsewhere(name, to, stored, local);
            }
          }
        });
  }

  private static void refuseIfElsewhere(
      String name, String to, Map<String, Set<String>> stored, Map<String, Set<String>> local) {
    for (String from : stored.keySet()) {
      if (contains(stored, from, name) && !contains(local, from, name)) {
        throw new UndecodableValueException(
            "The value has field '"
                + name
                + "' in class "
                + from
                + ", which is in class "
                + to
                + " now. Move it back, give it another name, or write the value anew.",
            null,
            to,
            null);
      }
    }
  }

  private static boolean contains(Map<String, Set<String>> of, String type, String field) {
    Set<String> fields = of.get(type);
    return fields != null && fields.contains(field);
  }

  private static Set<String> fields(Class<?> type) {
    Set<String> names = new HashSet<>();
    for (Field field : type.getDeclaredFields()) {
      int modifiers = field.getModifiers();
      if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
        names.add(field.getName());
      }
    }
    return names;
  }
}

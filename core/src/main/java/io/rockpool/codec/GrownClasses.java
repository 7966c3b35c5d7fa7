package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.logging.LoggerNames;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.meta.FieldInfo;
import org.apache.fory.meta.TypeDef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds classes with a field that their stored instances lack, since it was added or renamed. A
 * read would leave it null or zero. A collection has no other copy of the value, so it reads it so;
 * a cache can load again, so its codec refuses it. Each class is logged once.
 */
final class GrownClasses {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CODEC);

  /** The methods with which a class writes itself, so that Fory describes each superclass alone. */
  private static final Set<String> STREAM_METHODS =
      Set.of("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve");

  private final boolean refuses;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * @param refuses whether values of such classes are undecodable
   */
  GrownClasses(boolean refuses) {
    this.refuses = refuses;
  }

  /**
   * Checks Fory's description of a stored class.
   *
   * @param here the fields that Fory writes now, see {@link #name}
   */
  void check(Class<?> type, TypeDef stored, Set<String> here) {
    if (!refuses) {
      return;
    }
    Set<String> were = new TreeSet<>();
    Set<String> owners = new HashSet<>();
    for (FieldInfo field : stored.getFieldsInfo()) {
      were.add(name(field));
      owners.add(field.getDefinedClass());
    }
    Set<String> gained = new TreeSet<>(here);
    gained.removeAll(were);
    if (!gained.isEmpty() && mayBeInLayers(type)) {
      gained.removeIf(field -> !owners.contains(field.substring(0, field.indexOf(' '))));
    }
    were.removeAll(here);
    refuse(type, fieldNames(gained), fieldNames(were));
  }

  /** The class of a field and its name. */
  static String name(FieldInfo field) {
    return field.getDefinedClass() + ' ' + field.getFieldName();
  }

  private static Set<String> fieldNames(Set<String> fields) {
    Set<String> names = new TreeSet<>();
    fields.forEach(field -> names.add(field.substring(field.indexOf(' ') + 1)));
    return names;
  }

  /**
   * Whether the description of a class may be without the fields of its superclasses, because it or
   * a subclass writes itself.
   */
  private static boolean mayBeInLayers(Class<?> type) {
    if (!Modifier.isFinal(type.getModifiers())
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || Throwable.class.isAssignableFrom(type)) {
      return true;
    }
    try {
      for (Class<?> c = type; c != null; c = c.getSuperclass()) {
        for (Method method : c.getDeclaredMethods()) {
          if (STREAM_METHODS.contains(method.getName())) {
            return true;
          }
        }
      }
      return false;
    } catch (LinkageError e) {
      return true; // A method names a class that is not here.
    }
  }

  /** Checks the description of a stored class in a stream of the JDK. */
  void check(Class<?> type, ObjectStreamClass stored, ObjectStreamClass here) {
    if (!refuses) {
      return;
    }
    Set<String> gained = names(here);
    Set<String> lost = names(stored);
    gained.removeAll(names(stored));
    lost.removeAll(names(here));
    refuse(type, gained, lost);
  }

  private static Set<String> names(ObjectStreamClass type) {
    Set<String> names = new TreeSet<>();
    for (ObjectStreamField field : type.getFields()) {
      names.add(field.getName());
    }
    return names;
  }

  private void refuse(Class<?> type, Set<String> gained, Set<String> lost) {
    if (gained.isEmpty()) {
      return;
    }
    String what = "Class " + type.getName() + " has gained " + shown(gained);
    if (!lost.isEmpty()) {
      what += " and lost " + shown(lost);
    }
    if (logged.add(type.getName())) {
      LOG.info(
          "{} since some values were written. A cache takes them for misses and removes them. With"
              + " its option evolve, it reads them, with null or zero in what they lack.",
          what);
    }
    throw new UndecodableValueException(
        what + " since the value was written. Write it anew, or set the cache's option evolve.",
        null,
        type.getName(),
        null);
  }

  private static String shown(Set<String> fields) {
    return "'" + String.join("', '", fields) + "'";
  }
}

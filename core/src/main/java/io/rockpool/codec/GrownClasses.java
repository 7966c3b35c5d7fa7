package io.rockpool.codec;

import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.logging.LoggerNames;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
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
 * a cache can load again, so its codec refuses it. Each class is logged once for each codec.
 */
final class GrownClasses {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CODEC);

  /** So that damaged values, whose messages differ, do not fill the memory. */
  private static final int MAX_LOGGED = 1_000;

  /** What is done with a value that lacks a field. */
  enum Action {
    /** Reads it and logs a warning. */
    WARN(false, false),
    /** Refuses it. */
    REFUSE(true, false),
    /** Reads it, for a cache. */
    READ(false, true),
    /** Refuses it, which is a miss of a cache. */
    MISS(true, true),
    /** Refuses it in a key of a cache: with null or zero in a field, it would equal another key. */
    REFUSE_KEY(true, true);

    final boolean refuses;
    final boolean ofCache;

    Action(boolean refuses, boolean ofCache) {
      this.refuses = refuses;
      this.ofCache = ofCache;
    }
  }

  private final Action action;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  GrownClasses(Action action) {
    this.action = action;
  }

  /**
   * Checks Fory's description of a stored class.
   *
   * @param isLayer whether it is without the fields of superclasses
   * @param here the fields that Fory writes now, see {@link #name}
   */
  void check(Class<?> type, TypeDef stored, boolean isLayer, Set<String> here) {
    if (action == Action.READ) {
      return;
    }
    Set<String> were = new TreeSet<>();
    for (FieldInfo field : stored.getFieldsInfo()) {
      were.add(name(field));
    }
    Set<String> gained = new TreeSet<>(here);
    gained.removeAll(were);
    if (isLayer) {
      gained.removeIf(field -> !field.startsWith(type.getName() + ' '));
    }
    were.removeAll(here);
    note(type, fieldNames(gained), fieldNames(were));
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

  /** Checks the description of a stored class in a stream of the JDK. */
  void check(Class<?> type, ObjectStreamClass stored, ObjectStreamClass here) {
    if (action == Action.READ) {
      return;
    }
    Set<String> gained = names(here);
    Set<String> lost = names(stored);
    gained.removeAll(names(stored));
    lost.removeAll(names(here));
    note(type, gained, lost);
  }

  /** Logs once that values of a class are misses of a cache, or that keys are not found in it. */
  void noteMiss(UndecodableValueException e) {
    String about = e.className().orElse(String.valueOf(e.getMessage()));
    if (action.ofCache && logged.size() < MAX_LOGGED && logged.add(about)) {
      LOG.warn(
          action == Action.REFUSE_KEY
              ? "A cache has keys that cannot be decoded. Their entries are not found: {}"
              : "A cache takes values that cannot be decoded for misses and removes them: {}",
          e.getMessage());
    }
  }

  private static Set<String> names(ObjectStreamClass type) {
    Set<String> names = new TreeSet<>();
    for (ObjectStreamField field : type.getFields()) {
      names.add(field.getName());
    }
    return names;
  }

  private void note(Class<?> type, Set<String> gained, Set<String> lost) {
    if (gained.isEmpty()) {
      return;
    }
    String what = "Class " + type.getName() + " has gained " + shown(gained);
    if (!lost.isEmpty()) {
      what += " and lost " + shown(lost);
    }
    boolean isLogged = action == Action.MISS || action == Action.WARN;
    if (isLogged && logged.add(type.getName())) {
      if (action == Action.MISS) {
        LOG.info(
            "{} since some values were written. A cache takes them for misses and removes them."
                + " With its option evolve, it reads them, with null or zero in what they lack.",
            what);
      } else {
        LOG.warn(
            "{} since some values were written. They are read with null or zero in what they lack."
                + " Write them again, or refuse them with evolve(false) of Codecs.Builder.",
            what);
      }
    }
    if (action.refuses) {
      String wayOut =
          switch (action) {
            case MISS -> "Write it again, or set the cache's option evolve.";
            case REFUSE_KEY -> "Write the entry again; another version of the cache clears it.";
            default -> "Write it again, or read it with evolve(true) of Codecs.Builder.";
          };
      throw new UndecodableValueException(
          what + " since the value was written. " + wayOut, null, type.getName(), null);
    }
  }

  private static String shown(Set<String> fields) {
    return "'" + String.join("', '", fields) + "'";
  }
}

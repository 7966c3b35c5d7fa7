package io.rockpool.jcache;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.error.UnencodableValueException;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the entries of a cache that Hibernate fills, if any. They have the attributes of an entity
 * by position, so they are worthless once its class is another one. Beside the cache, this keeps a
 * fingerprint of each class that a key or an entry names. Where none is named, as in results of
 * queries, it keeps the run of the application. An opening that finds another fingerprint or run
 * clears the cache.
 *
 * <p>What is kept is written before the first entry of its kind. Other users of JCache pay a lookup
 * in a {@link ClassValue} for each put.
 */
final class HibernateRegion {
  private static final Logger LOG = LoggerFactory.getLogger(HibernateRegion.class);
  private static final String PREFIX = "jcache.hibernate.";

  /** Stands for a class where none is named. */
  private static final String UNNAMED = "?";

  private static final ClassValue<Boolean> IS_HIBERNATES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().startsWith("org.hibernate.");
        }
      };

  /** The run of each application in this process. */
  private static final Map<ClassLoader, String> RUNS = new WeakHashMap<>();

  private final String cache;
  private final ClassLoader loader;
  private final Optional<String> version;
  private final boolean skips;
  private final Set<String> kept = ConcurrentHashMap.newKeySet();
  private final Set<String> skipped = ConcurrentHashMap.newKeySet();
  private Consumer<UnaryOperator<Map<String, String>>> keeper = change -> {};

  /** What guards the cache of this name and configuration. */
  HibernateRegion(String cache, ClassLoader loader, RockpoolConfiguration<?, ?> configuration) {
    this.cache = cache;
    this.loader = loader;
    this.version = configuration.version();
    this.skips =
        configuration.onUnencodable().orElse(OnUnencodable.SKIP) == OnUnencodable.SKIP
            && configuration.writeBehind().isEmpty();
  }

  /** Returns what is kept of an earlier opening, to be kept on. */
  static Map<String, String> kept(Map<String, String> stored) {
    Map<String, String> kept = new TreeMap<>(stored);
    kept.keySet().removeIf(key -> !key.startsWith(PREFIX));
    return kept;
  }

  /**
   * Clears an opened cache if its entries cannot be read any more.
   *
   * @param stored what is kept of an earlier opening
   * @param clear clears the cache
   * @param keep changes what is stored with the cache
   */
  void open(
      Map<String, String> stored,
      Runnable clear,
      Consumer<UnaryOperator<Map<String, String>>> keep) {
    keeper = keep;
    Map<String, String> changed = new LinkedHashMap<>();
    kept(stored)
        .forEach(
            (key, print) -> {
              String name = key.substring(PREFIX.length());
              if (!print.equals(print(name))) {
                changed.put(name, print);
              }
            });
    if (changed.isEmpty()) {
      return;
    }
    clear.run();
    keep.accept(
        text -> {
          Map<String, String> rest = new TreeMap<>(text);
          rest.keySet().removeIf(key -> key.startsWith(PREFIX));
          return rest;
        });
    Set<String> names = new TreeSet<>(changed.keySet());
    boolean unnamed = names.remove(UNNAMED);
    LOG.info(
        "Cache \"{}\" of Hibernate was cleared: {}. With the region factory of the module"
            + " rockpool-hibernate, only a change of the mapping clears it.",
        cache,
        names.isEmpty() && unnamed
            ? "its entries name no class, and another run of the application wrote them"
            : names + " changed since its entries were written");
  }

  /** Whether a key or a value is Hibernate's. */
  boolean isHibernates(Object key, Object value) {
    return IS_HIBERNATES.get(key.getClass()) || IS_HIBERNATES.get(value.getClass());
  }

  /** Keeps the fingerprint of the classes that an entry names, before it is put. */
  void prepare(Object key, Object value) {
    String ofKey = read(key, "getEntityOrRoleName");
    ofKey = ofKey == null ? read(key, "getEntityName") : ofKey;
    Object content = IS_HIBERNATES.get(value.getClass()) ? readAny(value, "getValue") : null;
    String ofValue = read(content == null ? value : content, "getSubclass");
    if (ofKey == null && ofValue == null) {
      keep(UNNAMED);
    }
    if (ofKey != null) {
      keep(ofKey);
    }
    if (ofValue != null) {
      keep(ofValue);
    }
  }

  private void keep(String name) {
    if (kept.contains(name)) {
      return;
    }
    String print = print(name);
    keeper.accept(
        text -> {
          Map<String, String> more = new TreeMap<>(text);
          more.put(PREFIX + name, print);
          return more;
        });
    kept.add(name);
  }

  /**
   * Ends a put that failed, because the value cannot be encoded: its entry is removed, as a mirror
   * must not fail its caller.
   *
   * @throws CacheException if it failed for another reason, or such values are not to be skipped
   */
  void skip(CacheException e, Runnable remove) {
    if (!skips || !(e.getCause() instanceof UnencodableValueException unencodable)) {
      throw e;
    }
    remove.run();
    if (skipped.add(unencodable.className().orElse(""))) {
      LOG.warn(
          "{} Hibernate reads it from the database each time. Other values of this kind are not"
              + " cached either, and not logged.",
          unencodable.getMessage());
    }
  }

  /** What the entries that name this class or role depend on. */
  private String print(String name) {
    Class<?> type = UNNAMED.equals(name) ? null : owner(name);
    if (type != null) {
      try {
        return MappingPrint.of(type, hibernate());
      } catch (LinkageError | RuntimeException e) {
        LOG.debug("The mapping of {} cannot be read", type, e);
      }
    }
    return version.map(it -> "version " + it).orElseGet(() -> "run " + run(loader));
  }

  /** The class of an entity, or that has the attribute of a role; null if it is unknown. */
  private @Nullable Class<?> owner(String role) {
    for (String name = role; !name.isEmpty(); name = parent(name)) {
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        // Perhaps the last part is that of an attribute.
      }
    }
    return null;
  }

  private static String parent(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private String hibernate() {
    try {
      Class<?> type = Class.forName("org.hibernate.Version", true, loader);
      return String.valueOf(type.getMethod("getVersionString").invoke(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }

  private static String run(ClassLoader loader) {
    synchronized (RUNS) {
      return RUNS.computeIfAbsent(loader, it -> UUID.randomUUID().toString());
    }
  }

  private static @Nullable String read(Object from, String getter) {
    return readAny(from, getter) instanceof String text ? text : null;
  }

  private static @Nullable Object readAny(Object from, String getter) {
    if (!IS_HIBERNATES.get(from.getClass())) {
      return null;
    }
    try {
      return from.getClass().getMethod(getter).invoke(from);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return null; // an entry of another kind
    }
  }
}

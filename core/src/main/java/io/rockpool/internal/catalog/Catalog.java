package io.rockpool.internal.catalog;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What each name holds. Each name has one record, the engine's descriptor. Its attributes contain
 * the {@link Identity} and, with a prefix, the options of the layers above.
 *
 * <p>Names are opened, reset and dropped under one lock ({@link LockLevel#NAMES}). The {@link
 * NameHolder}s change their maps of open objects under it too, so that none misses a name that is
 * dropped or reset. A transaction that holds rows may wait for this lock. So no row is changed and
 * no user code runs under it.
 */
public final class Catalog {
  private static final String OPTION_PREFIX = "option.";

  /**
   * A hidden level: no list shows its spaces. Below it is the space of hot keys of a cache, under
   * the cache's name.
   */
  private static final String HOT_KEYS = SpaceName.HINTS;

  private final Engine engine;
  private final List<NameHolder> holders = new CopyOnWriteArrayList<>();
  private final OrderedLock lock;

  /** The catalog of the spaces of {@code engine}. */
  public Catalog(Engine engine) {
    this.engine = engine;
    this.lock = new OrderedLock(LockLevel.NAMES, 0, engine);
  }

  /** Runs {@code work} while no other thread opens, resets or drops a name. */
  public <R extends @Nullable Object> R locked(Supplier<R> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Notifies {@code holder} of every name that is reset or dropped from now on. */
  public void register(NameHolder holder) {
    holders.add(holder);
  }

  /**
   * Opens or creates the space of a name.
   *
   * @param options the options to keep with the name, instead of the existing ones
   * @param reset whether to clear a name that holds something else and give it this identity, which
   *     counts as a reset
   * @throws NameConflictException if the name holds something else and {@code reset} is false
   * @throws IllegalStateException inside a transaction
   */
  public Space open(
      String name, Identity identity, Layout layout, Map<String, String> options, boolean reset) {
    SpaceName.check(name);
    if (isHidden(name)) {
      throw new IllegalArgumentException(
          "The name \"" + name + "\" is the library's own; choose another.");
    }
    if (engine.inTransaction()) {
      throw new IllegalStateException(
          "The name \""
              + name
              + "\" is not open, and a transaction cannot open it; open it before atomically.");
    }
    return locked(() -> openLocked(name, identity, layout, options, reset));
  }

  private Space openLocked(
      String name, Identity identity, Layout layout, Map<String, String> options, boolean reset) {
    Entry there = find(name);
    SpaceSpec spec = new SpaceSpec(name, layout, attributes(identity, options));
    if (there == null) {
      return engine.create(spec);
    }
    if (!there.identity().equals(identity)) {
      if (!reset) {
        throw new NameConflictException(
            "The name \""
                + name
                + "\" holds "
                + there.identity()
                + " and was opened as "
                + identity
                + ": "
                + String.join("; ", identity.differencesFrom(there.identity()))
                + ". Open it as what it is, drop it, or ask for a reset, which removes what it holds.",
            name);
      }
      dropHotKeysOf(name);
      Space space = engine.reset(spec);
      lose(name::equals, "was reset to hold " + identity + "; open it again.");
      return space;
    }
    if (!there.options().equals(options)) {
      engine.setAttributes(name, spec.attributes());
    }
    return Objects.requireNonNull(engine.open(name), name);
  }

  /** Replaces the options that are kept with a name, if it exists. */
  public void keep(String name, Map<String, String> options) {
    locked(
        () -> {
          Entry there = find(name);
          if (there != null && !there.options().equals(options)) {
            engine.setAttributes(name, attributes(there.identity(), options));
          }
          return there;
        });
  }

  /** Removes a name and its content; returns whether it existed. */
  public boolean drop(String name) {
    if (isHidden(name)) {
      return false;
    }
    return locked(
        () -> {
          dropHotKeysOf(name); // first, so that an interrupted drop leaves no hot keys
          boolean dropped = engine.drop(name);
          lose(name::equals, "was dropped; open it again to start anew.");
          return dropped;
        });
  }

  /** Removes the names at or below a level, all or none; returns how many there were. */
  public int dropAll(String level) {
    if (isHidden(level)) {
      return 0;
    }
    return locked(
        () -> {
          dropHotKeys(level);
          int dropped = engine.dropAll(level);
          lose(
              name -> SpaceName.isWithin(name, level), "was dropped; open it again to start anew.");
          return dropped;
        });
  }

  private void lose(Predicate<String> names, String why) {
    holders.forEach(holder -> holder.lose(names, why));
  }

  /** The entry of a name, or null. */
  public @Nullable Entry find(String name) {
    SpaceInfo info = isHidden(name) ? null : engine.describe(name);
    return info == null ? null : entry(info);
  }

  /** The entries of the names at or below a level, sorted by name; all for the empty level. */
  public List<Entry> list(String level) {
    return engine.list(level).stream()
        .filter(info -> !isHidden(info.name()))
        .map(Catalog::entry)
        .toList();
  }

  /**
   * The hidden space for the hot keys of a cache. It is dropped with the cache.
   *
   * @param create whether to create it if it is missing and the cache exists
   * @return the space, or null
   */
  public @Nullable Space hotKeys(String name, boolean create) {
    String hidden = hotKeysOf(name);
    return hidden == null
        ? null
        : this.<@Nullable Space>locked(() -> hotKeys(name, hidden, create));
  }

  private @Nullable Space hotKeys(String name, String hidden, boolean create) {
    Space there = engine.open(hidden);
    return there == null && create && engine.describe(name) != null
        ? engine.create(new SpaceSpec(hidden, Layout.ROWS, Map.of()))
        : there;
  }

  private void dropHotKeysOf(String name) {
    String hidden = hotKeysOf(name);
    if (hidden != null) {
      engine.drop(hidden);
    }
  }

  /** Removes the hot keys of the caches at or below a level. */
  private void dropHotKeys(String level) {
    String hidden = level.isEmpty() ? HOT_KEYS : hotKeysOf(level);
    if (hidden != null) {
      engine.dropAll(hidden);
    }
  }

  /** The name of a cache's space of hot keys, or null if that name would be too long. */
  private static @Nullable String hotKeysOf(String name) {
    String hidden = HOT_KEYS + "/" + name;
    return hidden.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES ? null : hidden;
  }

  private static boolean isHidden(String name) {
    return SpaceName.isWithin(name, HOT_KEYS);
  }

  /** The entry of a space. */
  public static Entry entry(SpaceInfo info) {
    Map<String, String> options = new HashMap<>();
    info.attributes()
        .forEach(
            (key, value) -> {
              if (key.startsWith(OPTION_PREFIX)) {
                options.put(key.substring(OPTION_PREFIX.length()), value);
              }
            });
    return new Entry(Identity.fromAttributes(info.attributes()), Map.copyOf(options), info);
  }

  private static Map<String, String> attributes(Identity identity, Map<String, String> options) {
    Map<String, String> attributes = identity.toAttributes();
    options.forEach((key, value) -> attributes.put(OPTION_PREFIX + key, value));
    return attributes;
  }
}

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
 * Names and what they hold. One meta record for each name, as in the Redis-on-TiKV store: here the
 * engine's descriptor, whose attributes carry the {@link Identity} and, with a prefix, the options
 * of the layers above.
 *
 * <p>Its lock ({@link LockLevel#NAMES}) is the one under which names are opened, reset and dropped.
 * Those who hand out what is open under a name change their books under it, too, so that none of
 * them misses that a name was taken away. A transaction that holds rows may wait for it: so no row
 * is changed under it, and no code of a user's runs.
 */
public final class Catalog {
  private static final String OPTION_PREFIX = "option.";

  /**
   * The level of spaces that no list shows: below it, for each cache that has one, the keys that
   * are hot in it, under the cache's own name.
   */
  private static final String HOT_KEYS = SpaceName.HINTS;

  private final Engine engine;
  private final List<NameHolder> holders = new CopyOnWriteArrayList<>();
  private final OrderedLock lock;

  /** The catalog of what {@code engine} holds. */
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

  /** From now on {@code holder} is told of every name that is reset or dropped. */
  public void register(NameHolder holder) {
    holders.add(holder);
  }

  /**
   * Opens the space of a name, or creates it.
   *
   * @param options to keep with the name; empty leaves those that are there
   * @param reset whether a name that holds something else is emptied and given to this, which
   *     counts as a reset
   * @throws NameConflictException if the name holds something else and {@code reset} is false
   */
  public Space open(
      String name, Identity identity, Layout layout, Map<String, String> options, boolean reset) {
    SpaceName.check(name);
    if (isHidden(name)) {
      throw new IllegalArgumentException(
          "The name \"" + name + "\" is the library's own; choose another.");
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
                + ". Open it as what it is, drop it, or ask for a reset, which removes what it holds.");
      }
      dropHotKeysOf(name);
      Space space = engine.reset(spec);
      lose(name::equals, "was reset to hold " + identity + "; open it again.");
      return space;
    }
    if (!options.isEmpty() && !there.options().equals(options)) {
      engine.setAttributes(name, spec.attributes());
    }
    return Objects.requireNonNull(engine.open(name), name);
  }

  /** Replaces the options that are kept with a name, if there is one. */
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

  /** Removes a name and all it holds; says whether there was one. */
  public boolean drop(String name) {
    if (isHidden(name)) {
      return false;
    }
    return locked(
        () -> {
          dropHotKeysOf(name); // first: what is left of a drop that was cut short has none
          boolean dropped = engine.drop(name);
          lose(name::equals, "was dropped; open it again to start anew.");
          return dropped;
        });
  }

  /** Removes the names at or below a level, all or none; says how many there were. */
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

  /** What a name holds, or null. */
  public @Nullable Entry find(String name) {
    SpaceInfo info = isHidden(name) ? null : engine.describe(name);
    return info == null ? null : entry(info);
  }

  /** What the names at or below a level hold, sorted by name; all for the empty level. */
  public List<Entry> list(String level) {
    return engine.list(level).stream()
        .filter(info -> !isHidden(info.name()))
        .map(Catalog::entry)
        .toList();
  }

  /**
   * The space for the hot keys of a cache: not a name, so that nothing lists or describes it, and
   * dropped with the cache's.
   *
   * @param create whether to create it if there is none and the cache is there
   * @return null if there is none
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

  /** The name of a cache's hot keys; null if it would be too long for one. */
  private static @Nullable String hotKeysOf(String name) {
    String hidden = HOT_KEYS + "/" + name;
    return hidden.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES ? null : hidden;
  }

  private static boolean isHidden(String name) {
    return SpaceName.isWithin(name, HOT_KEYS);
  }

  /** What the catalog knows of a space. */
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

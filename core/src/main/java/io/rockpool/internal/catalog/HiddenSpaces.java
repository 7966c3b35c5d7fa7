package io.rockpool.internal.catalog;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.change.ChangeLogs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The hidden spaces of names. All methods are called under the lock of the {@link Catalog}. */
final class HiddenSpaces {
  /**
   * A hidden level: no list shows its spaces. Below it is the space of hot keys of a cache, under
   * the cache's name.
   */
  static final String HOT_KEYS = SpaceName.HINTS;

  /** A hidden level, like {@link #HOT_KEYS}, of the spaces of pending changes. */
  static final String PENDING = SpaceName.PENDING;

  /** A hidden level, like {@link #HOT_KEYS}, of the spaces of invalidated tags. */
  static final String TAGS = SpaceName.TAGS;

  private final Engine engine;
  private final ChangeLogs changeLogs;
  private final boolean shared;

  /**
   * The hidden spaces of an engine.
   *
   * @param shared whether other handles may create and drop them
   */
  HiddenSpaces(Engine engine, ChangeLogs changeLogs, boolean shared) {
    this.engine = engine;
    this.changeLogs = changeLogs;
    this.shared = shared;
  }

  /**
   * A hidden space of a name.
   *
   * @param create whether to create it if it is missing and the name exists
   * @return the space; null if it is missing, or if the name is too long for one
   */
  @Nullable Space open(String level, String name, boolean create, Layout layout) {
    String hidden = hiddenName(level, name);
    if (hidden == null) {
      return null;
    }
    Space there = engine.open(hidden);
    if (there != null || !create || engine.describe(name) == null) {
      return there;
    }
    try {
      return engine.create(new SpaceSpec(hidden, layout, Map.of()));
    } catch (NameConflictException e) {
      if (!shared) {
        throw e;
      }
      return engine.open(hidden); // another handle has created it
    }
  }

  /** Removes what is hidden of a name. */
  void dropOf(String name) {
    SpaceInfo info = engine.describe(name);
    if (info != null) {
      changeLogs.drop(info);
    }
    dropOf(name, List.of(HOT_KEYS, PENDING, TAGS));
  }

  /** Removes what is hidden of a cache that keeps its tags. */
  void dropAllButTags(String name) {
    dropOf(name, List.of(HOT_KEYS, PENDING));
  }

  private void dropOf(String name, List<String> levels) {
    for (String level : levels) {
      String hidden = hiddenName(level, name);
      if (hidden != null) {
        engine.drop(hidden);
      }
    }
  }

  /**
   * Removes what is hidden of the names at or below a level.
   *
   * @param names the names there
   */
  void dropWithin(String level, List<SpaceInfo> names) {
    dropWithin(HOT_KEYS, level);
    dropWithin(PENDING, level);
    names.forEach(changeLogs::drop);
    dropWithin(TAGS, level);
  }

  private void dropWithin(String hiddenLevel, String level) {
    String hidden = level.isEmpty() ? hiddenLevel : hiddenName(hiddenLevel, level);
    if (hidden != null) {
      engine.dropAll(hidden);
    }
  }

  /** The name of a cache's space below a hidden level, or null if that name would be too long. */
  private static @Nullable String hiddenName(String level, String name) {
    String hidden = level + "/" + name;
    return hidden.getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES ? null : hidden;
  }

  /** Whether a name is the library's own. */
  static boolean isHidden(String name) {
    return SpaceName.isWithin(name, HOT_KEYS)
        || SpaceName.isWithin(name, PENDING)
        || SpaceName.isWithin(name, ChangeLogs.LEVEL)
        || SpaceName.isWithin(name, TAGS)
        || SpaceName.isWithin(name, SpaceName.CLASSES)
        || SpaceName.isWithin(name, SpaceName.KEYS);
  }

  /** Gives the tags of a cache that was renamed its new name. */
  void renameTags(String from, String to) {
    String hidden = hiddenName(TAGS, from);
    String renamed = hiddenName(TAGS, to);
    if (hidden != null && renamed != null) {
      engine.rename(hidden, renamed, /* replace= */ true);
    } else if (hidden != null) {
      engine.drop(hidden);
    }
  }

  /** Rejects a cache whose hidden spaces hold what cannot be done without. */
  void refuseIfMoreThanHints(String name) {
    if (holds(hiddenName(PENDING, name), key -> true)) {
      throw new IllegalStateException(
          "The cache \""
              + name
              + "\" has changes that its writer must still write; flush it first.");
    }
    if (holds(hiddenName(HOT_KEYS, name), hashKey -> hashKey.length > 0)) {
      throw new UnsupportedOperationException(
          "The cache \""
              + name
              + "\" has keys that only their equals can compare, so it cannot be renamed; copy its"
              + " entries.");
    }
  }

  /** Whether a space has a record with such a hash key. */
  private boolean holds(@Nullable String hidden, Predicate<byte[]> hashKey) {
    Space space = hidden == null ? null : engine.open(hidden);
    if (space == null) {
      return false;
    }
    try (Cursor all = space.scanAll()) {
      while (all.next()) {
        if (hashKey.test(all.hashKey())) {
          return true;
        }
      }
      return false;
    }
  }
}

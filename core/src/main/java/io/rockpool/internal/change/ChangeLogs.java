package io.rockpool.internal.change;

import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.format.ScoredSetFormat;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open change logs of one store. A name with a log has an attribute with the log's id and
 * limits; the log's hidden space has the id as its name. So a name that is renamed keeps its log.
 * The attribute is written before the log is created, and removed after it is dropped.
 *
 * <p>The caller holds the catalog's lock.
 */
public final class ChangeLogs {
  /** The attribute of a name that says where its log is. */
  public static final String ATTRIBUTE = "changes";

  /** The hidden level of the spaces of logs. */
  public static final String LEVEL = SpaceName.CHANGES;

  private static final String MAX_CHANGES = "maxChanges";
  private static final String MAX_BYTES = "maxBytes";
  private static final String MAX_AGE = "maxAge";

  private final Engine engine;
  private final boolean readOnly;
  private final Map<String, ChangeLog> open = new ConcurrentHashMap<>();

  /**
   * Starts without open logs.
   *
   * @param readOnly whether the engine refuses every change
   */
  public ChangeLogs(Engine engine, boolean readOnly) {
    this.engine = engine;
    this.readOnly = readOnly;
    EngineUpkeep.of(engine)
        .whenReclaiming(
            () -> readOnly ? List.of() : open.values().stream().map(this::trim).toList());
  }

  private BooleanSupplier trim(ChangeLog log) {
    return new Trim(log);
  }

  /** The sweep of a log; equal for equal logs. */
  private record Trim(ChangeLog log) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      try {
        return log.trim();
      } catch (IllegalStateException e) {
        return false; // dropped, or the store is closed
      }
    }
  }

  /** Where a log is, and what it keeps. */
  private record Place(String id, ChangeOptions options) {
    static @Nullable Place of(Map<String, String> attributes) {
      String text = attributes.get(ATTRIBUTE);
      if (text == null) {
        return null;
      }
      try {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.substring(text.indexOf(' ') + 1).split(" ", -1)) {
          int equals = part.indexOf('=');
          parts.put(part.substring(0, equals), part.substring(equals + 1));
        }
        ChangeOptions options = ChangeOptions.keep(Duration.parse(parts.getOrDefault(MAX_AGE, "")));
        String changes = parts.get(MAX_CHANGES);
        if (changes != null) {
          options = options.maxChanges(Long.parseLong(changes));
        }
        String bytes = parts.get(MAX_BYTES);
        if (bytes != null) {
          options = options.maxBytes(Long.parseLong(bytes));
        }
        return new Place(text.substring(0, text.indexOf(' ')), options);
      } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new CorruptStoreException(
            "a descriptor has the change feed " + text + ", which cannot be read", e);
      }
    }

    String text() {
      return id + " " + options;
    }

    String space() {
      return LEVEL + "/" + id;
    }
  }

  /** The options of the log of a name; null if it has none. */
  public static @Nullable ChangeOptions options(Map<String, String> attributes) {
    Place place = Place.of(attributes);
    return place == null ? null : place.options;
  }

  /**
   * Checks that the engine can log changes, before a name is created for them.
   *
   * @param wanted the options; null for none
   */
  public void require(@Nullable ChangeOptions wanted) {
    if (wanted != null && !wanted.isOff()) {
      engine.require(Capability.COLLECTIONS);
      engine.require(Capability.MULTI_ROW_TRANSACTIONS);
    }
  }

  /**
   * Switches the log of a name on or off, or sets its limits.
   *
   * @param info the name as it is
   * @param wanted the new options
   * @throws UnsupportedOperationException if the engine has no transactions over many rows
   */
  public void set(SpaceInfo info, ChangeOptions wanted) {
    Place there = Place.of(info.attributes());
    Map<String, String> attributes = new HashMap<>(info.attributes());
    if (wanted.isOff()) {
      if (there != null) {
        drop(info);
        attributes.remove(ATTRIBUTE);
        engine.setAttributes(info.name(), attributes);
      }
      return;
    }
    require(wanted);
    if (there == null || !there.options.equals(wanted)) {
      String id = there == null ? UUID.randomUUID().toString() : there.id;
      attributes.put(ATTRIBUTE, new Place(id, wanted).text());
      engine.setAttributes(info.name(), attributes);
      ChangeLog log = open.get(id);
      if (log != null) {
        log.limit(wanted);
      }
    }
  }

  /** The log of a name; null if it has none. */
  public @Nullable ChangeLog find(SpaceInfo info) {
    Place place = Place.of(info.attributes());
    if (place == null) {
      return null;
    }
    ChangeLog there = open.get(place.id);
    if (there != null && !hasEnded(there)) {
      return there;
    }
    Space space = openOrCreate(place.space());
    if (space == null) {
      return null;
    }
    ChangeLog log = new ChangeLog(engine, space, place.options);
    open.put(place.id, log);
    return log;
  }

  private boolean hasEnded(ChangeLog log) {
    if (!engine.capabilities().contains(Capability.SHARED)) {
      return false;
    }
    try {
      return log.records().info().name().isEmpty(); // no name is
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private @Nullable Space openOrCreate(String name) {
    Space there = engine.open(name);
    if (there != null || readOnly) {
      return there;
    }
    try {
      return engine.create(new SpaceSpec(name, Layout.ROWS, Map.of()));
    } catch (NameConflictException e) {
      return engine.open(name); // another handle of the store has created it
    }
  }

  /**
   * Returns a handle that logs the changes of a space.
   *
   * @param type the type of its name
   */
  public static Space logged(Space space, ChangeLog log, String type) {
    return new LoggedSpace(space, log, log.records(), elementsOf(type));
  }

  /** Accepts the sort keys of records that are elements, and not parts of an index. */
  private static Predicate<byte[]> elementsOf(String type) {
    return switch (type) {
      case "deque" -> sortKey -> sortKey.length > 0;
      case "scored set" -> sortKey -> sortKey.length > 0 && sortKey[0] == ScoredSetFormat.MEMBER;
      default -> sortKey -> true;
    };
  }

  /** Drops the log of a name, if it has one. */
  public void drop(SpaceInfo info) {
    Place place = Place.of(info.attributes());
    if (place != null) {
      open.remove(place.id);
      engine.drop(place.space());
    }
  }
}

package io.rockpool.internal.change;

import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
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
import io.rockpool.store.Registration;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open change logs of one store. A name with a log has an attribute with the log's id and
 * limits; the log's hidden space has the id as its name. So a name that is renamed keeps its log.
 * The attribute is written before the log is created, and removed after it is dropped.
 *
 * <p>Other processes that share the store switch logs on and off meanwhile. They hear of it by the
 * end of a hidden space: of the log itself, or of one that is made for that. Until then their
 * writes have the log of before; an ended one fails, which makes them read the attribute again.
 *
 * <p>The caller holds the catalog's lock.
 */
public final class ChangeLogs implements AutoCloseable {
  /** The attribute of a name that says where its log is. */
  public static final String ATTRIBUTE = "changes";

  /** The hidden level of the spaces of logs. */
  public static final String LEVEL = SpaceName.CHANGES;

  /** The level of the spaces whose end says that a log was switched on or has other limits. */
  private static final String SWITCHED = LEVEL + "/switched";

  private static final String MAX_CHANGES = "maxChanges";
  private static final String MAX_BYTES = "maxBytes";
  private static final String MAX_AGE = "maxAge";

  private final Engine engine;
  private final boolean readOnly;
  private final boolean shared;
  private final Map<String, ChangeLog> open = new ConcurrentHashMap<>();

  /** The logs of the open names, if other processes may switch them. */
  private final Map<String, CurrentLog> current = new ConcurrentHashMap<>();

  private final @Nullable Registration reports;

  /**
   * Starts without open logs.
   *
   * @param readOnly whether the engine refuses every change
   */
  public ChangeLogs(Engine engine, boolean readOnly) {
    this.engine = engine;
    this.readOnly = readOnly;
    this.shared =
        engine
            .capabilities()
            .containsAll(Set.of(Capability.SHARED, Capability.MULTI_ROW_TRANSACTIONS));
    this.reports = shared ? engine.onChange(new Switches()) : null;
    EngineUpkeep.of(engine)
        .whenReclaiming(
            () -> readOnly ? List.of() : open.values().stream().map(this::trim).toList());
  }

  /** Ends the reports of what other processes switch. */
  @Override
  public void close() {
    if (reports != null) {
      reports.close();
    }
  }

  /** Hears that another process has switched logs. */
  private final class Switches implements ChangeListener {
    @Override
    public void rowChanged(String space, byte[] hashKey) {}

    @Override
    public void spaceChanged(String space) {}

    @Override
    public void spaceEnded(String space) {
      if (SpaceName.isWithin(space, LEVEL)) {
        boolean any = SpaceName.isWithin(space, SWITCHED);
        current.values().stream()
            .filter(it -> any || isIn(it.get(), space))
            .forEach(it -> refresh(it, false));
      }
    }

    private static boolean isIn(@Nullable ChangeLog log, String space) {
      return log != null && log.records().name().equals(space);
    }

    @Override
    public void feedLost() {}

    @Override
    public void feedRegained() {
      current.values().forEach(it -> refresh(it, false));
    }
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

    boolean isOf(@Nullable ChangeLog log) {
      return log != null && log.records().name().equals(space());
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
   * @return whether something changed
   * @throws UnsupportedOperationException if the engine has no transactions over many rows
   */
  public boolean set(SpaceInfo info, ChangeOptions wanted) {
    Place there = Place.of(info.attributes());
    Map<String, String> attributes = new HashMap<>(info.attributes());
    if (wanted.isOff()) {
      if (there != null) {
        drop(there);
        attributes.remove(ATTRIBUTE);
        engine.setAttributes(info.name(), attributes);
      }
      return there != null;
    }
    require(wanted);
    if (there != null && there.options.equals(wanted)) {
      return false;
    }
    String id = there == null ? UUID.randomUUID().toString() : there.id;
    attributes.put(ATTRIBUTE, new Place(id, wanted).text());
    engine.setAttributes(info.name(), attributes);
    return true;
  }

  /** Lets other processes read the attributes of their open names again. */
  public void report() {
    if (shared) {
      String name = SWITCHED + "/" + UUID.randomUUID();
      Space unused = engine.create(new SpaceSpec(name, Layout.ROWS, Map.of()));
      engine.drop(name);
    }
  }

  /** The log of a name; null if it has none. */
  public @Nullable ChangeLog find(SpaceInfo info) {
    Place place = Place.of(info.attributes());
    return place == null ? null : find(place, this::openOrCreate);
  }

  private @Nullable ChangeLog find(Place place, Function<String, @Nullable Space> opener) {
    ChangeLog there = open.get(place.id);
    if (there != null && !hasEnded(there)) {
      there.limit(place.options);
      return there;
    }
    Space space = opener.apply(place.space());
    if (space == null) {
      return null;
    }
    ChangeLog mine = new ChangeLog(engine, space, place.options);
    return open.merge(place.id, mine, (known, made) -> known.equals(there) ? made : known);
  }

  /**
   * Reads which log a name has now.
   *
   * @param create whether to create a log that the name should have
   */
  private void refresh(CurrentLog name, boolean create) {
    ChangeLog before;
    ChangeLog now;
    do {
      before = name.get();
      SpaceInfo info = engine.describe(name.name());
      Place place = info == null ? null : Place.of(info.attributes());
      if (place == null) {
        now = null;
      } else if (create) {
        now = find(place, this::openOrCreate);
      } else if (engine.inTransaction()) {
        now = find(place, space -> null); // opening is refused
        now = now == null && !place.isOf(before) ? before : now;
      } else {
        now = find(place, engine::open); // not there: it was dropped, or its creation is reported
      }
    } while (!name.replace(before, now));
    if (before != null && !before.equals(now)) {
      open.values().remove(before);
    }
  }

  /** Whether another process has dropped a log. One read if the store is shared, else none. */
  private boolean hasEnded(ChangeLog log) {
    if (!shared) {
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
   * Returns a handle that logs the changes of a space while its name has a log; the space itself if
   * it has none and no other process can switch one on.
   *
   * @param info the name as it is
   * @param type the type of the name
   */
  public Space logged(Space space, SpaceInfo info, String type) {
    if (!shared && !info.attributes().containsKey(ATTRIBUTE)) {
      return space;
    }
    CurrentLog log =
        shared ? current.computeIfAbsent(space.name(), this::currentLog) : currentLog(space.name());
    refresh(log, true);
    return new LoggedSpace(space, log, null, elementsOf(type));
  }

  private CurrentLog currentLog(String name) {
    return new CurrentLog(name, this::hasEnded, log -> refresh(log, false));
  }

  /** Accepts the sort keys of records that are elements, and not parts of an index. */
  private static Predicate<byte[]> elementsOf(String type) {
    return switch (type) {
      case "deque" -> sortKey -> sortKey.length > 0;
      case "scored set" -> sortKey -> sortKey.length > 0 && sortKey[0] == ScoredSetFormat.MEMBER;
      default -> sortKey -> true;
    };
  }

  /** Drops the log of a name that is dropped or reset, if it has one. */
  public void drop(SpaceInfo info) {
    current.remove(info.name());
    Place place = Place.of(info.attributes());
    if (place != null) {
      drop(place);
    }
  }

  private void drop(Place place) {
    open.remove(place.id);
    engine.drop(place.space());
  }
}

package io.rockpool.internal.catalog;

import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.change.ChangeLog;
import io.rockpool.internal.change.ChangeLogs;
import io.rockpool.internal.change.LoggedSpace;
import io.rockpool.internal.concurrent.LockLevel;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What each name holds. Each name has one record, the engine's descriptor. Its attributes contain
 * the {@link Identity} and, with a prefix, the options of the layers above.
 *
 * <p>Names are opened, reset and dropped under one lock ({@link LockLevel#NAMES}). The {@link
 * NameHolder}s change their maps of open objects under it too, so that none misses a name that is
 * dropped or reset. A transaction that holds rows may wait for this lock. So no row is changed and
 * no user code runs under it.
 *
 * <p>Other handles of a shared store create, reset and drop names meanwhile. So an opening is
 * repeated if its name changed under it, and an open object is closed once its space has ended.
 */
public final class Catalog implements AutoCloseable {
  /** Another handle must win this many times in a row to make an opening fail. */
  private static final int MOST_ATTEMPTS = 1_000;

  private static final String OPTION_PREFIX = "option.";
  private static final String DROPPED = "was dropped; open it again to start anew.";

  private final Engine engine;
  private final boolean readOnly;
  private final ChangeLogs changeLogs;
  private final List<NameHolder> holders = new CopyOnWriteArrayList<>();
  private final OrderedLock lock;
  private final RemoteChanges changes;
  private final HiddenSpaces hidden;

  /** Whether the store closes; guarded by the lock. */
  private boolean closed;

  /**
   * A space that was opened.
   *
   * @param kept the options that were kept with the name before; empty for a new name
   */
  public record Opened(Space space, Map<String, String> kept) {}

  /**
   * A space whose changes may be logged.
   *
   * @param options the options of its change feed; null if it has none
   */
  public record Logged(Space space, @Nullable ChangeOptions options) {}

  /** The catalog of the spaces of {@code engine}. */
  public Catalog(Engine engine) {
    this(engine, /* readOnly= */ false);
  }

  /**
   * The catalog of the spaces of {@code engine}.
   *
   * @param readOnly whether the engine refuses every change
   */
  public Catalog(Engine engine, boolean readOnly) {
    this.engine = engine;
    this.readOnly = readOnly;
    this.changeLogs = new ChangeLogs(engine, readOnly);
    this.lock = new OrderedLock(LockLevel.NAMES, 0, engine);
    this.changes = new RemoteChanges(engine, holders, lock);
    this.hidden = new HiddenSpaces(engine, changeLogs, changes.areExpected());
    if (!changes.areExpected() && !readOnly) {
      NameCopies.dropIncomplete(engine); // of a process that died
    }
  }

  /** Whether the engine refuses every change. */
  public boolean isReadOnly() {
    return readOnly;
  }

  /**
   * Ends the reports of what other handles change, and refuses openings from now on: what is opened
   * after the holders have closed what they have would never be closed.
   */
  @Override
  public void close() {
    locked(() -> closed = true);
    changes.close();
    changeLogs.close();
  }

  private void requireOpen() {
    if (closed) {
      throw new StoreClosedException(engine.description() + " is closed; open it again.");
    }
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
   * @param reset whether to clear a name that holds something else and give it this identity, which
   *     counts as a reset
   * @param options returns the options to keep with the name from now on, from those that were kept
   *     with this identity. It may be called several times
   * @throws NameConflictException if the name holds something else and {@code reset} is false
   * @throws IllegalStateException inside a transaction
   * @throws StoreClosedException if the store closes
   */
  public Opened open(
      String name,
      Identity identity,
      Layout layout,
      boolean reset,
      UnaryOperator<Map<String, String>> options) {
    checkNew(name);
    if (engine.inTransaction()) {
      throw new IllegalStateException(
          "The name \""
              + name
              + "\" is not open, and a transaction cannot open it; open it before atomically.");
    }
    return locked(
        () -> {
          requireOpen();
          for (int attempt = 1; ; attempt++) {
            Entry there = find(name);
            if (there != null && !identity.reads(there.identity()) && !reset) {
              throw conflict(name, there.identity(), identity);
            }
            try {
              Opened opened = open(name, identity, layout, there, options);
              if (opened != null) {
                loseEnded(name);
                return opened;
              }
            } catch (NameConflictException | IllegalArgumentException e) {
              // Another handle has created or dropped the name.
              if (!changes.areExpected() || attempt >= MOST_ATTEMPTS) {
                throw e;
              }
            }
          }
        });
  }

  /** Opens a name that was found as {@code there}; returns null if it has changed since. */
  private @Nullable Opened open(
      String name,
      Identity identity,
      Layout layout,
      @Nullable Entry there,
      UnaryOperator<Map<String, String>> options) {
    Entry same = there != null && identity.reads(there.identity()) ? there : null;
    Map<String, String> kept = same == null ? Map.of() : same.options();
    Map<String, String> wanted = options.apply(kept);
    SpaceSpec spec = new SpaceSpec(name, layout, attributes(identity, wanted, same));
    if (there == null) {
      return new Opened(engine.create(spec), kept);
    }
    if (same == null) {
      hidden.dropOf(name);
      Space space = engine.reset(spec, there.space().attributes());
      if (space == null) {
        return null; // another handle has replaced or dropped it
      }
      lose(name, "was reset to hold " + identity + "; open it again.");
      return new Opened(space, kept);
    }
    if (!kept.equals(wanted) || !there.identity().equals(identity)) {
      engine.setAttributes(name, spec.attributes());
    }
    Space space = engine.open(name);
    return space != null && holds(space, spec) ? new Opened(space, kept) : null;
  }

  /** Whether an opened space is the one that was found; no other handle has replaced it since. */
  private boolean holds(Space space, SpaceSpec spec) {
    if (!changes.areExpected()) {
      return true;
    }
    try {
      Entry now = entry(space.info());
      // without what others keep there, such as the progress of an import
      return attributes(now.identity(), now.options(), now).equals(spec.attributes());
    } catch (IllegalStateException e) {
      return false; // dropped or reset
    }
  }

  private static NameConflictException conflict(String name, Identity there, Identity wanted) {
    return new NameConflictException(
        "The name \""
            + name
            + "\" holds "
            + there
            + " and was opened as "
            + wanted
            + ": "
            + String.join("; ", wanted.differencesFrom(there))
            + ". Open it as what it is, drop it, or ask for a reset, which removes what it holds.",
        name);
  }

  /**
   * Whether another handle of the store has dropped or reset a space. One read if the store is
   * shared, else none.
   */
  public boolean hasEnded(Space space) {
    return changes.hasEnded(space);
  }

  /**
   * Closes what is open under a name if another handle of the store has dropped or reset it. One
   * read for what is open if the store is shared, else none.
   */
  public void loseEnded(String name) {
    changes.loseEnded(name);
  }

  /** Whether changes of other handles of the store may go unreported now. */
  public boolean isFeedLost() {
    return changes.isFeedLost();
  }

  /** Replaces the options that are kept with a name, if it exists. */
  public void keep(String name, Map<String, String> options) {
    locked(
        () -> {
          Entry there = find(name);
          if (there != null && !there.options().equals(options)) {
            setAttributes(name, attributes(there.identity(), options, there));
          }
          return there;
        });
  }

  private void setAttributes(String name, Map<String, String> attributes) {
    try {
      engine.setAttributes(name, attributes);
    } catch (IllegalArgumentException e) {
      if (!changes.areExpected()) { // otherwise another handle has dropped the name
        throw e;
      }
    }
  }

  /** Removes a name and its content; returns whether it existed. */
  public boolean drop(String name) {
    if (HiddenSpaces.isHidden(name)) {
      return false;
    }
    return locked(
        () -> {
          hidden.dropOf(name); // first, so that an interrupted drop leaves nothing hidden
          boolean dropped = engine.drop(name);
          lose(name, DROPPED);
          return dropped;
        });
  }

  /**
   * Gives what a name holds another name. Atomic.
   *
   * @param replace whether to drop what the new name holds
   * @return whether {@code from} existed
   * @throws NameConflictException if the new name is taken and {@code replace} is false
   * @throws IllegalStateException inside a transaction
   */
  public boolean rename(String from, String to, boolean replace) {
    engine.require(Capability.RENAMES);
    checkNew(to);
    if (HiddenSpaces.isHidden(from) || from.equals(to)) {
      return find(from) != null;
    }
    return locked(
        () -> {
          if (find(from) == null) {
            return false;
          }
          hidden.refuseIfMoreThanHints(from);
          hidden.dropAllButTags(from);
          if (replace || find(to) == null) { // then what is hidden is of a rename that was killed
            hidden.dropOf(to);
          }
          // In this order, so that after a kill no entry is judged by the tags of another cache. An
          // entry without its tags has ended.
          boolean renamed = engine.rename(from, to, replace);
          if (renamed) {
            hidden.renameTags(from, to);
            lose(from, "was renamed to \"" + to + "\"; open it by that name.");
            lose(to, "was replaced by what \"" + from + "\" held; open it again.");
          }
          return renamed;
        });
  }

  /**
   * Copies what a name holds. The copy has its name once it is complete, so it is atomic.
   *
   * @param replace whether to drop what the new name holds
   * @return whether {@code from} existed
   * @throws NameConflictException if the new name is taken and {@code replace} is false
   * @throws IllegalStateException inside a transaction, or if what {@code from} holds is dropped,
   *     reset or renamed meanwhile
   */
  public boolean copy(String from, String to, boolean replace) {
    engine.require(Capability.RENAMES);
    checkNew(to);
    Entry there = find(from);
    return there != null
        && NameCopies.copy(
            engine,
            there,
            to,
            !replace && find(to) != null,
            copy -> locked(() -> nameCopy(copy, from, to, replace)));
  }

  private boolean nameCopy(String copy, String from, String to, boolean replace) {
    if (replace) {
      hidden.dropOf(to);
    }
    boolean named = engine.rename(copy, to, replace);
    if (named) {
      lose(to, "was replaced by a copy of \"" + from + "\"; open it again.");
    }
    return named;
  }

  /**
   * Checks a name that something is to have.
   *
   * @throws IllegalArgumentException if it is no name, or the library's own
   */
  public static void checkNew(String name) {
    SpaceName.check(name);
    if (HiddenSpaces.isHidden(name)) {
      throw new IllegalArgumentException(
          "The name \"" + name + "\" is the library's own; choose another.");
    }
  }

  /** Removes the names at or below a level, all or none; returns how many there were. */
  public int dropAll(String level) {
    if (HiddenSpaces.isHidden(level)) {
      return 0;
    }
    return locked(
        () -> {
          List<SpaceInfo> names = engine.list(level);
          hidden.dropWithin(level, names);
          int dropped = engine.dropAll(level);
          names.forEach(name -> lose(name.name(), DROPPED));
          return dropped;
        });
  }

  private void lose(String name, String why) {
    holders.forEach(holder -> holder.lose(name, why));
  }

  /** The entry of a name, or null. */
  public @Nullable Entry find(String name) {
    SpaceInfo info = HiddenSpaces.isHidden(name) ? null : engine.describe(name);
    return info == null ? null : entry(info);
  }

  /** The entries of the names at or below a level, sorted by name; all for the empty level. */
  public List<Entry> list(String level) {
    return engine.list(level).stream()
        .filter(info -> !HiddenSpaces.isHidden(info.name()))
        .map(Catalog::entry)
        .toList();
  }

  /**
   * The hidden space for the hot keys of a cache. It is dropped with the cache. An engine without
   * collections has none, so its caches start cold.
   *
   * @param create whether to create it if it is missing and the cache exists
   * @return the space, or null
   */
  public @Nullable Space hotKeys(String name, boolean create) {
    return hiddenRows(HiddenSpaces.HOT_KEYS, name, create);
  }

  /**
   * The hidden space for the key directory of a cache, on an engine without collections. It is
   * dropped with the cache.
   *
   * @param create whether to create it if it is missing and the cache exists
   * @return the space; null if it is missing, or if the name is too long for one
   */
  public @Nullable Space keyDirectory(String name, boolean create) {
    return this.<@Nullable Space>locked(
        () -> hidden.open(HiddenSpaces.HOT_KEYS, name, create, Layout.ENTRIES));
  }

  /**
   * The hidden space for the changes of a cache that a writer has yet to write. It is dropped with
   * the cache.
   *
   * @param create whether to create it if it is missing and the cache exists
   * @return the space; null if it is missing, or if the name is too long for one
   */
  public @Nullable Space pendingChanges(String name, boolean create) {
    return hiddenRows(HiddenSpaces.PENDING, name, create);
  }

  /**
   * Switches the change feed of a name on or off, and returns a handle that logs changes while it
   * is on. Call it under this catalog's lock, after an opening.
   *
   * @param space the space of the name, as it was opened
   * @param wanted the options of the feed; null to leave it as it is
   * @throws UnsupportedOperationException if the engine has no transactions over many rows
   */
  public Logged logged(Space space, @Nullable ChangeOptions wanted) {
    Entry there = find(space.name());
    boolean changed =
        there != null && wanted != null && !readOnly && changeLogs.set(there.space(), wanted);
    there = changed ? find(space.name()) : there;
    if (there == null) {
      return new Logged(space, null);
    }
    Space logged = changeLogs.logged(space, there.space(), there.identity().type());
    if (changed) {
      changeLogs.report();
    }
    return new Logged(
        logged,
        LoggedSpace.isLogged(logged) ? ChangeLogs.options(there.space().attributes()) : null);
  }

  /** Checks that the engine can log changes; null for no feed. Call it before an opening. */
  public void requireChanges(@Nullable ChangeOptions wanted) {
    changeLogs.require(wanted);
  }

  /** The change log of a name; null if it has none. Call it under this catalog's lock. */
  public @Nullable ChangeLog changeLog(Entry name) {
    requireOpen();
    return changeLogs.find(name.space());
  }

  /** Whether a space is a change log. */
  public static boolean isChangeLog(String name) {
    return SpaceName.isWithin(name, ChangeLogs.LEVEL);
  }

  /**
   * The hidden space for the invalidated tags of a cache. It is renamed and dropped with the cache.
   *
   * @param create whether to create it if it is missing and the cache exists
   * @return the space; null if it is missing, or if the name is too long for one
   */
  public @Nullable Space tags(String name, boolean create) {
    return hiddenRows(HiddenSpaces.TAGS, name, create);
  }

  private @Nullable Space hiddenRows(String level, String name, boolean create) {
    return engine.capabilities().contains(Capability.COLLECTIONS)
        ? this.<@Nullable Space>locked(() -> hidden.open(level, name, create, Layout.ROWS))
        : null;
  }

  /** The name of the cache whose tags are in a space; an empty name for any other space. */
  public static String nameOfTags(String space) {
    return space.startsWith(HiddenSpaces.TAGS + "/")
        ? space.substring(HiddenSpaces.TAGS.length() + 1)
        : "";
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

  /**
   * The attributes of a name.
   *
   * @param there the name as it is, whose change feed continues; null for a new one
   */
  private static Map<String, String> attributes(
      Identity identity, Map<String, String> options, @Nullable Entry there) {
    Map<String, String> attributes = identity.toAttributes();
    options.forEach((key, value) -> attributes.put(OPTION_PREFIX + key, value));
    String changes = there == null ? null : there.space().attributes().get(ChangeLogs.ATTRIBUTE);
    if (changes != null) {
      attributes.put(ChangeLogs.ATTRIBUTE, changes);
    }
    return attributes;
  }
}

package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.access.StoreClasses;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.engine.OutsideTransaction;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the values of a store that several processes share: a hidden space with a record
 * under the name of each. The names that this process has read or written are in memory, until the
 * engine reports that their record may be gone.
 */
final class SharedClasses implements StoreClasses, ChangeListener {
  private static final byte[] NOTHING = {};

  private final Engine engine;

  /** Whether a class may stay unknown while the servers are away. */
  private final boolean missesWhenAway;

  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final AtomicLong reports = new AtomicLong();
  private volatile @Nullable Space space;

  private SharedClasses(Engine engine) {
    this.engine = engine;
    this.missesWhenAway = EngineUpkeep.of(engine).missesWhenAway();
  }

  /** The classes of an engine's store; they follow its reports until it is closed. */
  static SharedClasses of(Engine engine) {
    SharedClasses classes = new SharedClasses(engine);
    var unused = engine.onChange(classes);
    return classes;
  }

  /** {@inheritDoc} One read of the server if this process does not know the class. */
  @Override
  public boolean contains(String className) {
    if (names.contains(className)) {
      return true;
    }
    return orUnknown(
        () -> {
          long before = reports.get();
          byte[] key = className.getBytes(UTF_8);
          boolean found = in(there -> there.get(key, Space.NO_SORT_KEY) != null);
          if (found) {
            know(className, before);
          }
          return found;
        });
  }

  @Override
  public void add(String className) {
    boolean unused =
        orUnknown(
            () -> {
              long before = reports.get();
              byte[] key = className.getBytes(UTF_8);
              boolean unusedResult =
                  in(
                      there -> {
                        there.put(key, Space.NO_SORT_KEY, NOTHING, Expiry.NEVER);
                        return true;
                      });
              know(className, before);
              return true;
            });
  }

  @Override
  public SortedSet<String> names() {
    return OutsideTransaction.onOwnThread(
        () -> {
          SortedSet<String> all = new TreeSet<>();
          Space there = engine.open(SpaceName.CLASSES);
          if (there != null) {
            try (Cursor cursor = there.scanAll()) {
              while (cursor.next()) {
                all.add(new String(cursor.hashKey(), UTF_8));
              }
            }
          }
          return all;
        });
  }

  /** Forgets what is in memory: the space was dropped. */
  void forget() {
    reports.incrementAndGet();
    names.clear();
  }

  private void know(String className, long before) {
    names.add(className);
    if (reports.get() != before) {
      names.remove(className);
    }
  }

  private boolean orUnknown(Supplier<Boolean> work) {
    try {
      // A caller may be inside a transaction, which the space must not join.
      return OutsideTransaction.onOwnThread(work);
    } catch (ServerUnavailableException e) {
      if (missesWhenAway) {
        return false;
      }
      throw e;
    }
  }

  /** Uses the space; opens it again, or makes it, if it is not there. */
  private boolean in(Predicate<Space> use) {
    Space there = space;
    if (there != null) {
      try {
        return use.test(there);
      } catch (IllegalStateException e) {
        forget(); // the space was dropped, or the engine is closed
      }
    }
    Space opened = opened();
    space = opened;
    return use.test(opened);
  }

  private Space opened() {
    while (true) {
      Space there = engine.open(SpaceName.CLASSES);
      if (there != null) {
        return there;
      }
      try {
        return engine.create(new SpaceSpec(SpaceName.CLASSES, Layout.ENTRIES, Map.of()));
      } catch (NameConflictException e) {
        // another process has made it
      }
    }
  }

  @Override
  public void rowChanged(String changed, byte[] hashKey) {
    if (changed.equals(SpaceName.CLASSES)) {
      reports.incrementAndGet();
      names.remove(new String(hashKey, UTF_8));
    }
  }

  @Override
  public void spaceChanged(String changed) {
    if (changed.equals(SpaceName.CLASSES)) {
      forget();
    }
  }

  @Override
  public void spaceEnded(String ended) {
    spaceChanged(ended);
  }

  @Override
  public void feedLost() {
    forget();
  }

  @Override
  public void feedRegained() {
    forget();
  }
}

package io.rockpool.engine.memory;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.SpaceInfo;
import io.rockpool.engine.SpaceName;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.error.NameConflictException;
import io.rockpool.internal.engine.ChangeReports;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The spaces by name. Thread-safe: its methods are synchronized. */
final class MemoryCatalog {
  private final TreeMap<String, SpaceData> spaces = new TreeMap<>();

  /** Held for every change of a record, so that one change can include several spaces. */
  private final Object lock = new Object();

  private final InstantSource clock;

  /** The feeds of the open handles. */
  private final List<ChangeReports> feeds = new CopyOnWriteArrayList<>();

  MemoryCatalog(InstantSource clock) {
    this.clock = clock;
  }

  /** The feeds of the open handles; the list is safe for all threads. */
  List<ChangeReports> feeds() {
    return feeds;
  }

  /** The lock for changes of records. */
  Object lock() {
    return lock;
  }

  /** All records of all spaces at one instant. */
  synchronized Map<SpaceData, SortedTree<RowState>> snapshot() {
    Map<SpaceData, SortedTree<RowState>> rows = new HashMap<>();
    synchronized (lock) {
      spaces.values().forEach(data -> rows.put(data, data.rows()));
    }
    return rows;
  }

  synchronized SpaceData create(SpaceSpec spec, long nowMillis) {
    if (spaces.containsKey(spec.name())) {
      throw taken(spec.name());
    }
    return put(spec, nowMillis, nowMillis, 0);
  }

  private static NameConflictException taken(String name) {
    return new NameConflictException(
        "The name \""
            + name
            + "\" is taken; open it, reset it, or choose another name. Nothing was changed.",
        name);
  }

  synchronized @Nullable SpaceData open(String name, long nowMillis) {
    SpaceData data = spaces.get(name);
    if (data != null) {
      SpaceInfo info = data.info();
      data.setInfo(
          new SpaceInfo(
              name,
              info.layout(),
              info.attributes(),
              info.createdMillis(),
              nowMillis,
              info.resets(),
              Expiry.NEVER));
    }
    return data;
  }

  /** Resets a space if it has these attributes, else returns null. */
  synchronized @Nullable SpaceData reset(
      SpaceSpec spec, Map<String, String> attributes, long nowMillis) {
    SpaceInfo there = describe(spec.name());
    return there == null || !there.attributes().equals(attributes) ? null : reset(spec, nowMillis);
  }

  synchronized SpaceData reset(SpaceSpec spec, long nowMillis) {
    SpaceData old = existing(spec.name(), "reset");
    old.end("reset");
    return put(spec, old.info().createdMillis(), nowMillis, old.info().resets() + 1);
  }

  synchronized @Nullable SpaceData find(String name) {
    return spaces.get(name);
  }

  synchronized @Nullable SpaceInfo describe(String name) {
    SpaceData data = spaces.get(name);
    return data == null ? null : data.info();
  }

  synchronized List<SpaceInfo> list(String level) {
    return spaces.values().stream()
        .map(SpaceData::info)
        .filter(info -> SpaceName.isWithin(info.name(), level))
        .toList();
  }

  synchronized void setAttributes(String name, Map<String, String> attributes) {
    SpaceData data = existing(name, "given attributes");
    SpaceInfo info = data.info();
    data.setInfo(
        new SpaceInfo(
            name,
            info.layout(),
            attributes,
            info.createdMillis(),
            info.openedMillis(),
            info.resets(),
            Expiry.NEVER));
  }

  synchronized boolean drop(String name) {
    SpaceData data = spaces.remove(name);
    if (data != null) {
      data.end("dropped");
    }
    return data != null;
  }

  /** Returns whether there is such a space; otherwise nothing is changed. */
  synchronized boolean rename(String from, String to, boolean replace) {
    SpaceData old = spaces.get(from);
    if (old == null) {
      return false;
    }
    if (spaces.containsKey(to) && !replace) {
      throw taken(to);
    }
    drop(to);
    SpaceInfo info = old.info();
    SpaceData moved =
        put(
            new SpaceSpec(to, info.layout(), info.attributes()),
            info.createdMillis(),
            info.openedMillis(),
            info.resets());
    old.moveTo(moved, "renamed");
    spaces.remove(from);
    return true;
  }

  synchronized List<SpaceInfo> dropAll(String level) {
    List<SpaceInfo> dropped = list(level);
    dropped.forEach(info -> drop(info.name()));
    return dropped;
  }

  /** Removes the expired records of all spaces; returns how many. */
  synchronized long sweep() {
    return spaces.values().stream().mapToLong(SpaceData::sweep).sum();
  }

  private SpaceData put(SpaceSpec spec, long createdMillis, long openedMillis, long resets) {
    SpaceData data =
        new SpaceData(
            new SpaceInfo(
                spec.name(),
                spec.layout(),
                spec.attributes(),
                createdMillis,
                openedMillis,
                resets,
                Expiry.NEVER),
            lock,
            clock);
    spaces.put(spec.name(), data);
    return data;
  }

  private SpaceData existing(String name, String what) {
    SpaceData data = spaces.get(name);
    if (data == null) {
      throw new IllegalArgumentException(
          "The space \""
              + name
              + "\" cannot be "
              + what
              + ": there is none of that name; create it first.");
    }
    return data;
  }
}

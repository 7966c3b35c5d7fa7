package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.logging.LoggerNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and ends the writing of pending changes. */
final class Drainers {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private Drainers() {}

  /** Refuses a writer of a cache on an engine with which it could write changes wrongly. */
  static void refuseUnsupported(Engine engine, String cache) {
    engine.require(Capability.MULTI_ROW_TRANSACTIONS);
    if (engine.capabilities().contains(Capability.SHARED)) {
      throw new UnsupportedOperationException(
          "The cache \""
              + cache
              + "\" cannot be written behind: several processes may open "
              + engine.description()
              + ", and each would write the changes of the others. Use an embedded store.");
    }
  }

  /** Refuses a second writer of a name. */
  static void refuseAnother(SharedSpace shared) {
    if (shared.drainer != null) {
      throw new IllegalStateException(
          "The cache \""
              + shared.space.name()
              + "\" is already open with a writer. Close that cache first, or open this one"
              + " without.");
    }
  }

  /**
   * Reads what is pending for a cache that is being opened, and starts to write it. A copy that is
   * only read writes nothing: the store itself does.
   */
  static <K, V> void open(
      Catalog catalog, CacheEntries<K, V> entries, CacheOptions.@Nullable Writing<K, V> asked) {
    CacheOptions.@Nullable Writing<K, V> writing = catalog.isReadOnly() ? null : asked;
    SharedSpace shared = entries.shared;
    String name = shared.space.name();
    PendingChanges pending = shared.pending;
    if (pending == null) {
      Space space = catalog.pendingChanges(name, writing != null);
      if (space == null && writing != null) {
        throw new IllegalArgumentException(
            "The name of the cache \"" + name + "\" is too long for a writer. Use a shorter name.");
      }
      if (space == null) {
        return;
      }
      pending = new PendingChanges(entries.engine, space);
      shared.pending = pending;
    }
    if (writing != null) {
      pending.index.start();
      pending.attached(true);
      Drainer<K, V> drainer = new Drainer<>(entries, pending, writing.writer(), writing.options());
      shared.drainer = drainer;
      entries.drainer = drainer;
      drainer.start();
    } else if (shared.drainer == null && !pending.index.isEmpty()) {
      PendingIndex.Amount amount = pending.index.amount();
      LOG.warn(
          "The cache \"{}\" has {} pending changes and {} dead letters, and was opened without a"
              + " writer. They are kept; open it with its writer to write them.",
          name,
          amount.changes(),
          amount.dead());
    }
  }

  /** Writes what is pending of a cache that is about to be closed. */
  static void finish(CacheEntries<?, ?> entries) {
    Draining drainer = entries.drainer;
    if (drainer != null && !entries.isClosed() && !entries.inTransaction()) {
      drainer.finish();
    }
  }

  /** Writes what is pending, as long as the options allow, and ends the writing of a cache. */
  static void stop(CacheEntries<?, ?> entries) {
    Draining drainer = entries.drainer;
    if (drainer != null) {
      try {
        drainer.stop();
      } finally {
        leave(entries, drainer);
      }
    }
  }

  /** Ends the writing of a cache that was dropped. */
  static void end(CacheEntries<?, ?> entries) {
    Draining drainer = entries.drainer;
    if (drainer != null) {
      drainer.end();
      leave(entries, drainer);
    }
  }

  private static void leave(CacheEntries<?, ?> entries, Draining drainer) {
    entries.drainer = null;
    if (entries.shared.drainer == drainer) {
      entries.shared.drainer = null;
    }
  }
}

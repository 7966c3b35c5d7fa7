package io.rockpool.redis;

import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the names of open spaces back that a server has lost, because it evicted the catalog, was
 * emptied, or restarted empty or from an older snapshot. A name whose drop the catalog has noted
 * ends instead.
 *
 * <p>A name comes back with the same id, so that all processes still mean the same keys, and empty:
 * it may also have been dropped shortly before the catalog was lost. Thread-safe; one thread at a
 * time puts names back.
 */
final class LostNames {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool.redis");

  private final RedisCatalog catalog;
  private final Spaces spaces;

  /** The open spaces. */
  interface Spaces {
    Collection<RedisSpaceState> all();

    /** The state of a space. */
    RedisSpaceState state(CatalogEntry entry);

    /** Makes all buckets of a space empty. */
    void renewAll(RedisSpaceState state);

    /** Reports that all entries of a space may have changed. */
    void changed(RedisSpaceState state);

    /** Reports that a space continues as another one. */
    void moved(RedisSpaceState from, RedisSpaceState to);
  }

  LostNames(RedisCatalog catalog, Spaces spaces) {
    this.catalog = catalog;
    this.spaces = spaces;
  }

  /**
   * Puts back what the catalog of another era does not have. A space that was last seen in this era
   * may have been read in the one before meanwhile.
   */
  void putBackAll(long era) {
    for (RedisSpaceState state : spaces.all()) {
      if (state.entry().era() == era) {
        spaces.changed(state);
      } else {
        putBack(state);
      }
    }
  }

  /** Puts a name back if the server has lost it; ends the space if it was dropped or reset. */
  synchronized void putBack(RedisSpaceState state) {
    RedisCatalog.Found found = catalog.read(state.name);
    while (!state.isEnded()) {
      CatalogEntry there = found.entry();
      if (there != null && there.id() == state.id) {
        boolean isOtherData = there.era() != state.entry().era();
        state.seen(there);
        if (isOtherData) {
          spaces.changed(state);
        }
        return;
      }
      CatalogEntry before = state.entry();
      if (catalog.wasDropped(state.id)) {
        state.end();
      } else if (there != null && !there.holdsTheSame(before)) {
        catalog.noteSweep();
        state.end();
      } else if (there != null) {
        continueAs(state, there);
      } else {
        found = add(state, before);
      }
    }
  }

  private RedisCatalog.Found add(RedisSpaceState state, CatalogEntry before) {
    spaces.renewAll(state); // first: what was dropped before must not be visible
    RedisCatalog.Found found = catalog.add(before);
    spaces.changed(state);
    LOG.debug("The server had lost the name \"{}\". It was put back, empty.", state.name);
    return found;
  }

  /** Another process has created the name again before this one could put it back. */
  private void continueAs(RedisSpaceState state, CatalogEntry there) {
    RedisSpaceState next = spaces.state(there);
    spaces.renewAll(next); // its entries may be older than what this process wrote before
    spaces.moved(state, next);
    LOG.debug("The server had lost the name \"{}\". It continues empty.", state.name);
  }
}

package io.rockpool.cache;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Space;
import io.rockpool.internal.logging.LoggerNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of entries that were written before their cache got an expiry policy. */
final class LateExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private static final int LOOKED_AT = 100;

  private LateExpiry() {}

  /**
   * Warns if the first entries include one that never expires. Not on servers, where looking for
   * the entries of a cache passes those of others.
   */
  static void warn(Engine engine, String name, Space space) {
    if (!engine.capabilities().contains(Capability.SHARED) && hasLasting(space)) {
      warn(name);
    }
  }

  private static boolean hasLasting(Space space) {
    try (Cursor entries = space.scanAll()) {
      for (int looked = 0; looked < LOOKED_AT && entries.next(); looked++) {
        if (entries.expiryMillis() == Expiry.NEVER) {
          return true;
        }
      }
      return false;
    }
  }

  private static void warn(String name) {
    LOG.warn(
        "The cache \"{}\" has an expiry policy now and had none before. Entries that were written"
            + " before never expire. Call clear() once, or put them again to give them a deadline.",
        name);
  }
}

package io.rockpool.jcache;

import io.rockpool.internal.access.StoredNames;
import io.rockpool.jcache.internal.config.StoreLocation;
import java.net.URI;
import java.util.Optional;

/**
 * The names of a manager's caches in its store, see {@link StoredNames}.
 *
 * <p>The caches of a manager whose URI names no store of its own share the default one, below a
 * level that is made of the URI: {@code %:my-manager/orders}. No other cache's name begins so.
 */
final class CacheNames {
  /** What a manager's names begin with in its store. */
  private final String level;

  private CacheNames(String level) {
    this.level = level;
  }

  /** The names of a manager's caches. */
  static CacheNames of(URI manager) {
    return new CacheNames(
        StoreLocation.isName(manager)
            ? ""
                + StoredNames.ESCAPE
                + ':'
                + StoredNames.toStore(manager.toString()).replace("/", "%002F")
                + '/'
            : "");
  }

  /** The name that a cache of the manager has in the store. */
  String stored(String name) {
    return level + StoredNames.toStore(name);
  }

  /** The name that the manager has for what the store calls so; empty if it is none of its own. */
  Optional<String> named(String stored) {
    return stored.startsWith(level)
        ? StoredNames.fromStore(stored.substring(level.length()))
        : Optional.empty();
  }
}

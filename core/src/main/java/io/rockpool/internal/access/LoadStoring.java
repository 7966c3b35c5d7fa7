package io.rockpool.internal.access;

import java.util.Map;
import java.util.Set;

/**
 * What is done around the storing of loaded values, for who must see them among all other changes:
 * a lock before it, a message after it. Called on the thread that loaded, when the loader has
 * returned and nothing is held; what it throws ends the load, as what the loader throws does.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface LoadStoring<K, V> {
  /**
   * Calls {@code store}, once.
   *
   * @param loaded what the loader returned for keys that had no entry
   * @param store what stores it
   */
  void store(Map<K, V> loaded, Store<K> store);

  /**
   * Stores what was loaded.
   *
   * @param <K> the type of keys
   */
  @FunctionalInterface
  interface Store<K> {
    /**
     * Stores what was loaded where there is still nothing, and no key was put or removed since.
     *
     * @return the keys of what it stored
     */
    Set<K> run();
  }

  /** Nothing but the storing. */
  static <K, V> LoadStoring<K, V> plain() {
    return (loaded, store) -> store.run();
  }
}

package io.rockpool.internal.catalog;

import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Space;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds open objects by name. The catalog notifies it of names that are dropped or reset, and of
 * what other handles of the store change.
 */
public interface NameHolder {
  /**
   * Closes all objects that are open under a name. Called under the catalog's lock, so it changes
   * no row.
   *
   * @param why what happened to the name: the end of a sentence that starts with the name
   */
  void lose(String name, String why);

  /** The names of the open objects. */
  Set<String> openNames();

  /** The space of the objects that are open under a name; null if there are none. */
  @Nullable Space openSpace(String name);

  /** See {@link ChangeListener#spaceChanged}. */
  void spaceChanged(String name);

  /** See {@link ChangeListener#rowChanged}. Without an override, the whole space has changed. */
  default void rowChanged(String name, byte[] hashKey) {
    spaceChanged(name);
  }

  /**
   * See {@link ChangeListener#feedLost}. Called at once, and again under the catalog's lock for
   * what was being opened. Without an override, every space has changed.
   */
  default void feedLost() {
    openNames().forEach(this::spaceChanged);
  }

  /**
   * See {@link ChangeListener#feedRegained}. Called under the catalog's lock. Without an override,
   * every space has changed.
   */
  default void feedRegained() {
    openNames().forEach(this::spaceChanged);
  }
}

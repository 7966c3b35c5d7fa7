package io.rockpool.internal.catalog;

import java.util.function.Predicate;

/** Holds open objects by name; the catalog notifies it when names are dropped or reset. */
@FunctionalInterface
public interface NameHolder {
  /**
   * Closes all objects that are open under these names. Called under the catalog's lock, so it
   * changes no row.
   *
   * @param names accepts the names to close
   * @param why what happened to the name: the end of a sentence that starts with the name
   */
  void lose(Predicate<String> names, String why);
}

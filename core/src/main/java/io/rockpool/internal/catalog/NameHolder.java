package io.rockpool.internal.catalog;

import java.util.function.Predicate;

/** Who hands out what is open under names, and has to be told when a name is taken away. */
@FunctionalInterface
public interface NameHolder {
  /**
   * Lets everything that is open under these names throw from now on. Called under the catalog's
   * lock, so it changes no row.
   *
   * @param names tells for each name whether it is meant
   * @param why what became of them: the end of a sentence that begins with the name
   */
  void lose(Predicate<String> names, String why);
}

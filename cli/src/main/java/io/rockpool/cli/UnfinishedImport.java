package io.rockpool.cli;

import io.rockpool.Rockpool;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Suppressed in the error of an import: what the import has left. */
final class UnfinishedImport extends Exception {
  private static final long serialVersionUID = 1L;

  private UnfinishedImport(String message) {
    super(message);
  }

  /**
   * Drops a name whose import failed, or adds to the error what of the name is there.
   *
   * @param isDropped whether the import has made the name, and no later import continues it
   * @param left what to say if the name stays
   */
  static void after(Throwable e, Rockpool pool, String name, boolean isDropped, String left) {
    try {
      if (isDropped) {
        pool.names().drop(name);
        return;
      }
    } catch (RuntimeException failure) {
      e.addSuppressed(failure);
    }
    e.addSuppressed(new UnfinishedImport("\"" + name + "\" " + left));
  }

  /** What an error says of an import, after a space; empty if it says nothing. */
  static String textOf(Throwable e) {
    return Stream.of(e.getSuppressed())
        .filter(UnfinishedImport.class::isInstance)
        .map(left -> " " + left.getMessage())
        .collect(Collectors.joining());
  }
}

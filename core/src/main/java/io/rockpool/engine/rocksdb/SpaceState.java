package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Layout;

/**
 * What all handles of one space share. The generation changes when the space is cleared and ends
 * when it is dropped or reset; whoever writes reads it under the row's lock, so that once each lock
 * was free after a change, no one writes to the generation before.
 */
final class SpaceState {
  private static final long GONE = 0;

  private final String name;
  private final Layout layout;
  private final int salt;
  private volatile long generation;

  SpaceState(String name, Layout layout, long generation) {
    this.name = name;
    this.layout = layout;
    this.generation = generation;
    this.salt = Long.hashCode(generation);
  }

  String name() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  /**
   * Sets equal rows of different spaces apart; the same for as long as the space lives, cleared or
   * not.
   */
  int salt() {
    return salt;
  }

  /**
   * The generation.
   *
   * @throws IllegalStateException if the space was dropped or reset
   */
  long generation() {
    long current = generation;
    if (current == GONE) {
      throw new IllegalStateException(
          "The space \""
              + name
              + "\" was dropped or reset after this handle was opened; open it again.");
    }
    return current;
  }

  void clearTo(long next) {
    generation = next;
  }

  void end() {
    generation = GONE;
  }
}

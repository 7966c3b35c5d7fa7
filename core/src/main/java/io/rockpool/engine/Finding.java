package io.rockpool.engine;

/**
 * One kind of thing that is wrong in one space. Nothing of a value is in it.
 *
 * @param kind what is wrong
 * @param space the name of the space, or the empty text if it concerns none or all
 * @param key the beginning of the key where it was found first, with unprintable bytes escaped; of
 *     a file, its name
 * @param count how often it was found
 * @param detail what was found there
 */
public record Finding(FindingKind kind, String space, String key, long count, String detail) {
  /** {@return what to do about it, in plain sentences} */
  public String advice() {
    return kind.advice();
  }

  /** What was found, where, and what to do. */
  @Override
  public String toString() {
    return kind
        + (space.isEmpty() ? "" : " in \"" + space + "\"")
        + (key.isEmpty() ? "" : " at " + key)
        + (count == 1 ? "" : ", the first of " + count)
        + ": "
        + detail
        + ". "
        + advice();
  }
}

package io.rockpool.store;

/**
 * One kind of defect in one space. It contains no part of a value.
 *
 * @param kind the kind of defect
 * @param space the name of the space; empty if it concerns none or all
 * @param key the beginning of the key where it was found first, with unprintable bytes escaped; for
 *     a file, its name
 * @param count how often it was found
 * @param detail what was found at that key
 */
public record Finding(FindingKind kind, String space, String key, long count, String detail) {
  /** {@return what to do about it, in sentences} */
  public String advice() {
    return kind.advice();
  }

  /** The kind, the place, the detail and the advice. */
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

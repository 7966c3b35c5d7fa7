package io.rockpool.internal.encryption;

/** Lets tests encrypt the keys of all names that have no order, and leave those of the others. */
public final class HidingWherePossible {
  private HidingWherePossible() {}

  /**
   * Sets it for this process.
   *
   * @param on whether names with sorted keys are not refused
   */
  public static void set(boolean on) {
    KeyHiding.refusesSorted = !on;
  }
}

package io.rockpool.crash;

/** The first steps that a thread of one victim made. */
record Stretch(int round, long seed, int thread, int steps) {
  Stretch oneMore() {
    return new Stretch(round, seed, thread, steps + 1);
  }

  /** Whether it is the beginning of {@code other}, or all of it. */
  boolean begins(Stretch other) {
    return steps <= other.steps && new Stretch(round, seed, thread, other.steps).equals(other);
  }
}

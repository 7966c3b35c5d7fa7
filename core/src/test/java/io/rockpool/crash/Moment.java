package io.rockpool.crash;

/** When a victim is killed. */
enum Moment {
  /** Some time after it has opened the store. */
  WORKING,
  /** When it has begun to clear, drop or reclaim for the so-manieth time. */
  SWEEPING,
  /** When the crowded cache has made room once, and is to do so again. */
  EVICTING,
  /** While it opens the store that another has left so. */
  OPENING,
  /** While it closes the store. */
  CLOSING
}

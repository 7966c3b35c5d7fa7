package io.rockpool.internal.rocksdb.rows;

/** Gives expired spaces their next generation. */
interface Generations {
  /**
   * Gives an expired space a new generation without expiry, and returns it. The caller may hold row
   * locks.
   */
  long endExpired(SpaceState state);
}

package io.rockpool.postgresql;

import io.rockpool.engine.Lease;

/**
 * A lease on an entry, or on an absent one.
 *
 * @param generation the generation of its space
 * @param version the version of the entry, or of the placeholder; each write sets another one
 * @param onAbsent whether the entry is absent
 */
record EntryLease(long generation, long version, boolean onAbsent) implements Lease {
  /** No write with it is made: there is no such generation. */
  static final EntryLease ENDED = new EntryLease(0, 0, false);
}

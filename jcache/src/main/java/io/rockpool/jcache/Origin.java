package io.rockpool.jcache;

/**
 * The origin of a change: determines whether the cache writer is called, and which event is raised.
 */
enum Origin {
  /** An operation of the cache itself. */
  OPERATION,
  /** An entry processor that has set or removed its entry. */
  PROCESSOR,
  /** The loader, for an operation. */
  LOADER,
  /** The loader, for an entry processor that has asked for a value where there was none. */
  PROCESSOR_LOADER,
  /** An operation that removes an entry if it has a value, and has found none: ends its loads. */
  ABSENCE;

  /** Whether the change is to be written through: what was loaded is there already. */
  boolean isWrittenThrough() {
    return this == OPERATION || this == PROCESSOR;
  }
}

package io.rockpool.internal.concurrent;

/**
 * The locks of a store in the order in which a thread may wait for them. A thread that holds a lock
 * waits only for locks of later levels, or of the same level with a higher rank. {@code
 * docs/ARCHITECTURE.md} lists what each lock protects.
 */
public enum LockLevel {
  /** The locks of JCache keys. */
  KEYS,
  /** What is to be evicted. */
  EVICTION,
  /** One thread reclaims at a time. */
  RECLAIMING,
  /** One thread saves the hot keys of a cache at a time. */
  HOT_KEYS,
  /**
   * The rows; a row's rank is the index of its lock. A transaction holds its row locks until it
   * ends.
   */
  ROWS,
  /** The names and their open handles. */
  NAMES,
  /** The attributes of names that have keys of an encrypted store. */
  ATTRIBUTES,
  /** The engine's catalog of spaces. */
  SPACES,
  /** Changes of a cache's hot tier. */
  HOT_TIER,
  /** Threads that wait for a deque. */
  WAITERS,
  /** The open stores of the process. */
  STORES
}

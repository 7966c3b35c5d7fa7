package io.rockpool.store;

/**
 * What an acknowledged write survives. Every level survives the death of the process, {@code kill
 * -9} included. A store has a level, a cache or collection may have another, and {@code
 * Engine.withDurability} sets one for single writes.
 */
public enum Durability {
  /**
   * Handed to the operating system: a power loss may lose what the system had not yet written to
   * disk.
   */
  BUFFERED,
  /**
   * Like {@link #BUFFERED}, and forced to disk about once a second: a power loss loses at most that
   * second.
   */
  PERIODIC,
  /** Forced to disk before the write returns. Concurrent writers share one fsync. */
  SYNC
}

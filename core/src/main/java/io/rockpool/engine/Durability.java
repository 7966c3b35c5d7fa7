package io.rockpool.engine;

/**
 * What an acknowledged write survives. Every level survives the death of the process, {@code kill
 * -9} included. A store has a level, a cache or structure may have another, and {@link
 * Engine#withDurability} gives one to single writes.
 */
public enum Durability {
  /**
   * Handed to the operating system: a power loss may take what the system had not yet written by
   * itself.
   */
  BUFFERED,
  /**
   * As {@link #BUFFERED}, and forced to the disk about once a second: a power loss takes at most
   * that second.
   */
  PERIODIC,
  /** Forced to the disk before the write returns. Concurrent writers share one force. */
  SYNC
}

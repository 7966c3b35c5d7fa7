package io.rockpool.structure;

import java.time.Duration;
import java.time.Instant;

/**
 * What all structures have in common. Thread-safe.
 *
 * <p>After the store is closed, or the name dropped or reset, every operation throws {@link
 * IllegalStateException}. Errors of the store are {@link io.rockpool.error.RockpoolException}s; a
 * write that failed has no effect unless its exception says otherwise.
 */
public interface PersistentStructure {
  /** How much longer something lives that never expires. */
  Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** The structure's name. Never throws. */
  String name();

  /**
   * Removes everything. O(1), one write, however much there is; the disk is given back later.
   *
   * @throws IllegalStateException also inside a transaction over several structures; nothing is
   *     changed
   */
  void clear();

  /**
   * Lets all of it live until {@code when}: from then on it is empty, as if {@link #clear} had been
   * called at that instant, and what is put after it lives on. What is past clears it at once.
   * O(1), one write. Elements that have an expiry of their own keep it. Refused as {@link #clear}
   * is.
   */
  void expireAt(Instant when);

  /** As {@link #expireAt}, {@code ttl} from now on. */
  void expireAfter(Duration ttl);

  /** Takes back what {@link #expireAt} said. */
  void persist();

  /** How much longer all of it lives, as {@link #expireAt} said; {@link #FOREVER} by default. */
  Duration ttl();

  /** Whether every operation throws: the store was closed, or the name dropped or reset. */
  boolean isClosed();
}

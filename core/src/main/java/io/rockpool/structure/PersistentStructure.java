package io.rockpool.structure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The operations that all structures share. Thread-safe.
 *
 * <p>After the store is closed, or the name is dropped, renamed or reset, every operation throws
 * {@link IllegalStateException}. Errors of the store are {@link
 * io.rockpool.error.RockpoolException}s. A failed write has no effect unless its exception says
 * otherwise.
 *
 * <p>If the engine's data is {@link io.rockpool.engine.Capability#SHARED shared}, every operation
 * sees what other processes have written at once. Listeners are notified of what this process does.
 */
public sealed interface PersistentStructure
    permits EntryMap,
        ElementSet,
        SingleEntry,
        PersistentDeque,
        PersistentScoredSet,
        PersistentTable {
  /** The time to live of an element that never expires. */
  Duration FOREVER = StructureSpace.FOREVER;

  /** The structure's name. Never throws. */
  default String name() {
    return StructureSpaces.of(this).name();
  }

  /**
   * Removes all elements. O(1), one write, however many there are. The disk space is reclaimed
   * later.
   *
   * @throws IllegalStateException also inside a transaction over several structures; nothing is
   *     changed
   */
  void clear();

  /**
   * Clears the structure at {@code when}, as if {@link #clear} were called at that instant.
   * Elements put after it stay. A past instant clears immediately. O(1), one write. Elements with
   * their own expiry keep it. Rejected in a transaction, like {@link #clear}.
   */
  default void clearAt(Instant when) {
    StructureSpaces.of(this).clearAt(when);
  }

  /** Like {@link #clearAt(Instant)}, {@code ttl} from now. */
  default void clearAfter(Duration ttl) {
    StructureSpaces.of(this).clearAfter(ttl);
  }

  /**
   * Like {@link #clearAt(Instant)}, if a condition on the present expiry of the structure holds:
   * not on those of its elements. Redis' {@code EXPIREAT} of a collection with {@code NX}, {@code
   * XX}, {@code GT} or {@code LT}. Atomic. One write if it holds. Rejected in a transaction, like
   * {@link #clear}.
   *
   * @return whether the condition held
   */
  default boolean clearAt(Instant when, ExpiryCondition condition) {
    return StructureSpaces.of(this).clearAt(when, condition);
  }

  /**
   * Like {@link #clearAt(Instant, ExpiryCondition)}, {@code ttl} from now. Redis' {@code EXPIRE}.
   *
   * <pre>{@code
   * visitorsOfToday.clearAfter(ofDays(1), ExpiryCondition.ABSENT); // a day from the first call on
   * }</pre>
   */
  default boolean clearAfter(Duration ttl, ExpiryCondition condition) {
    return StructureSpaces.of(this).clearAfter(ttl, condition);
  }

  /**
   * Cancels {@link #clearAt(Instant)} and {@link #clearAfter(Duration)}. Rejected in a transaction,
   * like {@link #clear}.
   */
  default void cancelClear() {
    StructureSpaces.of(this).cancelClear();
  }

  /**
   * The remaining time until the structure is cleared, as set by {@link #clearAt(Instant)} or
   * {@link #clearAfter(Duration)}; empty if it will not be cleared.
   */
  default Optional<Duration> clearsIn() {
    return StructureSpaces.of(this).clearsIn();
  }

  /**
   * Whether every operation throws: the store was closed, or the name dropped, renamed or reset.
   */
  default boolean isClosed() {
    return StructureSpaces.of(this).isClosed();
  }
}

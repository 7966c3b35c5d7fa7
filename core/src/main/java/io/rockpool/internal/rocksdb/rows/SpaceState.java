package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import java.time.InstantSource;

/**
 * What all handles of one space share. The generation changes when the space is cleared and ends
 * when it is dropped or reset; whoever writes reads it under the row's lock, so that once each lock
 * was free after a change, no one writes to the generation before.
 *
 * <p>The space as a whole may expire. From that instant on readers see a generation that has no
 * records, and the first one who writes gives the space a new one, without expiry.
 */
public final class SpaceState {
  /** A generation that no record has. */
  public static final long NO_RECORDS = 0;

  private static final long GONE = -1;

  private final String name;
  private final Layout layout;
  private final int salt;
  private final SpaceCatalog catalog;
  private final InstantSource clock;
  private volatile long generation;

  /** Read before the generation, written after it: so an expiry never meets a generation after. */
  private volatile long expiryMillis;

  public SpaceState(
      String name,
      Layout layout,
      long generation,
      long expiryMillis,
      SpaceCatalog catalog,
      InstantSource clock) {
    this.name = name;
    this.layout = layout;
    this.generation = generation;
    this.expiryMillis = expiryMillis;
    this.catalog = catalog;
    this.clock = clock;
    this.salt = Long.hashCode(generation);
  }

  public String name() {
    return name;
  }

  public Layout layout() {
    return layout;
  }

  /**
   * Sets equal rows of different spaces apart; the same for as long as the space lives, cleared or
   * not.
   */
  int salt() {
    return salt;
  }

  /**
   * The generation whose records are to be seen; {@link #NO_RECORDS} where they have expired.
   *
   * @throws IllegalStateException if the space was dropped or reset
   */
  long generation() {
    boolean expired = Expiry.isPast(expiryMillis, clock);
    long current = generation;
    if (current == GONE) {
      throw new IllegalStateException(
          "The space \""
              + name
              + "\" was dropped or reset after this handle was opened; open it again.");
    }
    return expired ? NO_RECORDS : current;
  }

  /** As {@link #generation}, but {@link #NO_RECORDS} also where the space is no more. */
  public long generationIfAny() {
    boolean expired = Expiry.isPast(expiryMillis, clock);
    long current = generation;
    return expired || current == GONE ? NO_RECORDS : current;
  }

  /** Whether records of a generation are this space's, be it that they have expired as a whole. */
  public boolean isOf(long wanted) {
    return generation == wanted;
  }

  /**
   * The generation to write to. One write, where the one before has expired.
   *
   * @throws IllegalStateException if the space was dropped or reset
   */
  long generationToWrite() {
    long current = generation();
    return current == NO_RECORDS ? catalog.endExpired(this) : current;
  }

  /** From now on, it is this generation. */
  void moveTo(long next, long nextExpiryMillis) {
    generation = next;
    expiryMillis = nextExpiryMillis;
  }

  void end() {
    generation = GONE;
  }

  /** Whether the space was dropped or reset. */
  public boolean hasEnded() {
    return generation == GONE;
  }
}

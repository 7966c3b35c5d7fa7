package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.rocksdb.natives.LongSearch;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import java.time.InstantSource;

/**
 * The state that all handles of one space share. The generation changes when the space is cleared,
 * and ends when it is dropped or reset. Writers read it under the row's lock. So once each lock was
 * free after a change, no thread writes to the previous generation.
 *
 * <p>The space as a whole may expire. From then on readers see a generation without records, and
 * the first write gives the space a new generation without expiry.
 */
public final class SpaceState {
  /** A generation that no record has. */
  public static final long NO_RECORDS = 0;

  private static final long GONE = -1;

  private final String name;
  private final Layout layout;
  private final RecordLayout recordLayout;
  private final int salt;
  private final Generations generations;
  private final InstantSource clock;
  private final LongSearch longSearch = new LongSearch();
  private volatile long generation;

  /**
   * Read before the generation and written after it, so a new expiry never applies to an old
   * generation.
   */
  private volatile long expiryMillis;

  public SpaceState(
      String name,
      Layout layout,
      long generation,
      long expiryMillis,
      Generations generations,
      InstantSource clock) {
    this.name = name;
    this.layout = layout;
    this.recordLayout = RecordLayout.of(layout);
    this.generation = generation;
    this.expiryMillis = expiryMillis;
    this.generations = generations;
    this.clock = clock;
    this.salt = Long.hashCode(generation);
  }

  /**
   * The state of a renamed space. It has the salt of the former state, so that a write that began
   * under the old name and one under the new name take the same lock.
   */
  private SpaceState(SpaceState former, String name) {
    this.name = name;
    this.layout = former.layout;
    this.recordLayout = former.recordLayout;
    this.salt = former.salt;
    this.generations = former.generations;
    this.clock = former.clock;
    this.generation = former.generation;
    this.expiryMillis = former.expiryMillis;
  }

  /** Ends this state; returns the one of the same space under another name. */
  SpaceState renamed(String to) {
    SpaceState next = new SpaceState(this, to);
    end();
    return next;
  }

  public String name() {
    return name;
  }

  public Layout layout() {
    return layout;
  }

  /** How its records are encoded. */
  RecordLayout recordLayout() {
    return recordLayout;
  }

  /**
   * Distinguishes equal rows of different spaces; constant while the space lives, cleared or not.
   */
  int salt() {
    return salt;
  }

  /**
   * The visible generation; {@link #NO_RECORDS} if the space has expired.
   *
   * @throws IllegalStateException if the space was dropped, reset or renamed
   */
  long generation() {
    boolean expired = Expiry.isPast(expiryMillis, clock);
    long current = generation;
    if (current == GONE) {
      throw new StoreClosedException(
          "The space \""
              + name
              + "\" was dropped, reset or renamed after this handle was opened; open it again.");
    }
    return expired ? NO_RECORDS : current;
  }

  /** Like {@link #generation}, but {@link #NO_RECORDS} also if the space no longer exists. */
  public long generationIfAny() {
    boolean expired = Expiry.isPast(expiryMillis, clock);
    long current = generation;
    return expired || current == GONE ? NO_RECORDS : current;
  }

  /** Whether a generation is this space's, even if the space has expired. */
  public boolean isOf(long wanted) {
    return generation == wanted;
  }

  /**
   * The generation to write to. Makes one write if the previous one has expired.
   *
   * @throws IllegalStateException if the space was dropped, reset or renamed
   */
  long generationToWrite() {
    long current = generation();
    return current == NO_RECORDS ? generations.endExpired(this) : current;
  }

  /** Sets the generation and the expiry. */
  void moveTo(long next, long nextExpiryMillis) {
    generation = next;
    expiryMillis = nextExpiryMillis;
  }

  void end() {
    generation = GONE;
  }

  /** How scans of all records have searched for their first one. */
  LongSearch longSearch() {
    return longSearch;
  }

  /** Whether the space was dropped, reset or renamed. */
  public boolean hasEnded() {
    return generation == GONE;
  }
}

package io.rockpool.engine;

/**
 * Walks over records, one at a time, in the way of {@code while (cursor.next()) cursor.value()}.
 * Not thread-safe. It must be closed: an embedded engine keeps files alive for it until then.
 *
 * <p>Weakly consistent: it shows every record that is there from its creation to its end, none
 * twice, and may or may not show what is written, deleted, cleared or expires meanwhile. If its
 * space is dropped or reset meanwhile, {@link #next} goes on, ends, or throws {@link
 * IllegalStateException}, but shows nothing of a space that takes the name over.
 *
 * <p>Where there is no current record (before the first call of {@link #next}, after one that
 * returned false, once the cursor or its engine is closed) the record's methods throw {@link
 * IllegalStateException}. The arrays they return are the caller's.
 */
public interface Cursor extends AutoCloseable {
  /**
   * Moves to the next record.
   *
   * @return whether there is one
   * @throws IllegalStateException if the cursor or its engine is closed
   */
  boolean next();

  /**
   * Tells the current record's row.
   *
   * @return its hash key
   */
  byte[] hashKey();

  /**
   * Tells the current record's place in its row.
   *
   * @return its sort key
   */
  byte[] sortKey();

  /**
   * Reads the current record's value.
   *
   * @return the value
   */
  byte[] value();

  /**
   * Tells when the current record ends.
   *
   * @return milliseconds since the epoch, or {@link Expiry#NEVER}
   */
  long expiryMillis();

  /** Lets go of what the cursor holds. A second call does nothing. */
  @Override
  void close();
}

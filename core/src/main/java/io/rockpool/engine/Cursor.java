package io.rockpool.engine;

/**
 * Walks over records, one at a time, in the way of {@code while (cursor.next()) cursor.value()}.
 * Not thread-safe. It must be closed: an embedded engine keeps files alive for it until then.
 *
 * <p>Weakly consistent: it shows every record that is there from its creation to its end, none
 * twice, and may or may not show what is written, deleted, cleared or expires meanwhile.
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
   * The current record's hash key. Where there is no current record, an {@link
   * IllegalStateException}.
   */
  byte[] hashKey();

  /** The current record's sort key. */
  byte[] sortKey();

  /** The current record's value. */
  byte[] value();

  /** The current record's expiry in milliseconds since the epoch, or {@link Expiry#NEVER}. */
  long expiryMillis();

  /** Lets go of what the cursor holds. A second call does nothing. */
  @Override
  void close();
}

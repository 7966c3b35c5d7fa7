package io.rockpool.engine;

/**
 * Walks over records one at a time: {@code while (cursor.next()) cursor.value()}. Not thread-safe.
 * It must be closed: until then an embedded engine keeps files alive for it.
 *
 * <p>Weakly consistent: it shows every record that exists from its creation to its end, none twice.
 * It may or may not show what is written, deleted, cleared or expires during the walk. If its space
 * is dropped or reset during the walk, {@link #next} continues, ends, or throws {@link
 * IllegalStateException}. It never shows records of a new space with the same name.
 *
 * <p>The record's methods throw {@link IllegalStateException} if there is no current record: before
 * the first call of {@link #next}, after it returned false, and once the cursor or its engine is
 * closed. The arrays they return belong to the caller.
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
   * Returns the hash key of the current record.
   *
   * @return its hash key
   */
  byte[] hashKey();

  /**
   * Returns the sort key of the current record.
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
   * Returns the expiry of the current record.
   *
   * @return milliseconds since the epoch, or {@link Expiry#NEVER}
   */
  long expiryMillis();

  /** Releases what the cursor holds. A second call does nothing. */
  @Override
  void close();
}

package io.rockpool.change;

import java.time.Duration;
import java.util.List;

/**
 * The place of one consumer in a {@link ChangeFeed}, which survives restarts. Not thread-safe: one
 * thread at a time uses it. Several open cursors of one name, also in several processes, share the
 * changes if each polls and commits in one transaction: a poll continues where another one has
 * committed. Outside of transactions they do not know of each other.
 *
 * <pre>{@code
 * ChangeCursor<String, Order> mailer = orders.cursor("mailer");
 * while (running) {
 *   mailer.poll(100, ofSeconds(10)).forEach(this::mail);
 *   mailer.commit(); // a crash before this mails these changes again
 * }
 * }</pre>
 *
 * <p>Effects in the same store happen exactly once if they are in one transaction with the poll and
 * the commit:
 *
 * <pre>{@code
 * pool.runAtomically(
 *     tx -> {
 *       mailer.poll(100).forEach(change -> totals.merge(change.key(), 1L, Long::sum));
 *       mailer.commit();
 *     });
 * }</pre>
 *
 * <p>A cursor does not hold retention back. If changes after it were removed, a poll throws {@link
 * io.rockpool.error.ChangesLostException}, until {@link #seek} sets another position.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface ChangeCursor<K, V> {
  /** Its name. */
  String name();

  /** The position of the next change that it will poll. */
  long position();

  /**
   * Returns the next changes and moves past them, in memory. Joins a transaction: a rollback moves
   * it back. In a transaction it first moves to where another cursor of the name has committed,
   * unless this one has polled or sought since its own commit. See {@link ChangeFeed#poll(long,
   * int)}.
   */
  List<ChangeEvent<K, V>> poll(int max);

  /** Like {@link #poll(int)}, but waits; see {@link ChangeFeed#poll(long, int, Duration)}. */
  List<ChangeEvent<K, V>> poll(int max, Duration wait) throws InterruptedException;

  /**
   * Stores its position. Joins a transaction. One write, and in a transaction one read.
   *
   * @throws IllegalStateException in a transaction, if another cursor of the name has committed
   *     since this one was opened, committed or rewound. Let the transaction fail, so that no
   *     change has its effects twice, and {@link #rewind}
   */
  void commit();

  /** Moves it back to the stored position. */
  void rewind();

  /** Moves it to a position, in memory; {@link #commit} stores that. */
  void seek(long position);
}

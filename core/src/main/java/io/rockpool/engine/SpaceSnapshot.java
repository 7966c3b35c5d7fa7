package io.rockpool.engine;

/**
 * A space as it was at one instant, unchanging and for reading only: no write, clear, expiry, reset
 * or drop after it was taken shows in it. Whether a record has expired is judged at {@link
 * #takenMillis}. Of a transaction it shows all or nothing. Thread-safe.
 *
 * <p>It must be closed: until then the store keeps on disk what was replaced since. One that nobody
 * can reach any more is closed in time by itself. Once it or its engine is closed, every operation
 * but {@link #name}, {@link #takenMillis} and {@link #close} throws {@link IllegalStateException},
 * and so do its cursors.
 *
 * <p>Of a space of {@link Layout#ENTRIES} it may miss records that have expired since it was taken:
 * a store may drop these whoever looks at them.
 *
 * <p>It stands beside transactions: inside {@link Engine#atomically} it goes on to show its
 * instant, locks nothing, and shows nothing of what the transaction changed.
 */
public interface SpaceSnapshot extends SpaceView, AutoCloseable {
  /**
   * Tells when it was taken, by the engine's clock. Never throws.
   *
   * @return milliseconds since the epoch
   */
  long takenMillis();

  /**
   * Lets go of what it holds, once the calls that run in it are over. A second call does nothing.
   */
  @Override
  void close();
}

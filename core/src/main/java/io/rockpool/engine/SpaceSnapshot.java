package io.rockpool.engine;

/**
 * A read-only view of a space at one instant: later writes, clears, expiries, resets and drops do
 * not change it. A record counts as expired if it had expired at {@link #takenMillis}. Of a
 * transaction it shows all or nothing. Thread-safe.
 *
 * <p>It must be closed: until then the store keeps replaced data on disk. The engine closes one
 * that has become unreachable. Once it or its engine is closed, every operation throws {@link
 * IllegalStateException}, except {@link #name}, {@link #takenMillis} and {@link #close}; its
 * cursors throw it too.
 *
 * <p>In a space of {@link Layout#ENTRIES} it may miss records that expired after it was taken: a
 * compaction may drop these even if a snapshot shows them.
 *
 * <p>It does not join transactions: inside {@link Engine#atomically} it still shows its instant,
 * locks nothing, and shows no change of the transaction.
 */
public interface SpaceSnapshot extends SpaceView, AutoCloseable {
  /**
   * Returns when it was taken, by the engine's clock. Never throws.
   *
   * @return milliseconds since the epoch
   */
  long takenMillis();

  /**
   * Releases what it holds, once the calls running in it have ended. A second call does nothing.
   */
  @Override
  void close();
}

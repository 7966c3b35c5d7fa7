package io.rockpool.cache;

import java.time.Duration;

/** The writing of one cache's pending changes. */
interface Draining {
  /** Waits for room for a change of a key, or makes some; see {@link WriteBehindOptions}. */
  void admit(EntryKey key);

  /** Writes the next batch that is due; returns whether there was one. */
  boolean drain();

  /** See {@link WriteBehind#flush}. */
  boolean flush(Duration timeout) throws InterruptedException;

  /**
   * Writes what is pending, until the close timeout. Called before the cache is closed, since the
   * writer may use it.
   */
  void finish();

  /**
   * Writes what is pending, as {@link #finish} does, and ends the thread. Once the cache is closed,
   * the first failure of the writer ends it, too. A writer that does not return is interrupted;
   * what it wrote then stays pending, and is written again.
   */
  void stop();

  /** Ends the thread after its running batch, without waiting for it. */
  void end();
}

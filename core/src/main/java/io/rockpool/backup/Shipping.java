package io.rockpool.backup;

import io.rockpool.error.StoreClosedException;
import io.rockpool.error.StoreIoException;
import java.time.Instant;

/**
 * The shipping of a store's log to a target, as {@code StoreBackups.ship} began it. Thread-safe.
 */
public interface Shipping extends AutoCloseable {
  /**
   * The newest moment that the target can restore: every change that was acknowledged before is
   * there. Without failures it is at most one interval ago, and the time of one shipment.
   */
  public Instant until();

  /**
   * Ships now, and returns when every change that was acknowledged before the call is in the
   * target.
   *
   * @throws StoreIoException if the target or the store's file system fails
   * @throws StoreClosedException if this or the store is closed
   */
  public void ship();

  /**
   * Ships the rest, and ends; waits for the target. If that fails, the failure is logged, and
   * {@link #until} says what is there. Closing the store also closes this.
   */
  @Override
  public void close();
}

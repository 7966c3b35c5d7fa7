package io.rockpool.sample.outbox;

import java.util.concurrent.Semaphore;

/**
 * Brings messages from the shop to the receiver, each at least once: it leaves the outbox when the
 * receiver has it. If the process is killed in between, the message is sent again.
 */
final class Relay implements Runnable {
  private final Shop shop;
  private final Receiver receiver;
  private final Semaphore bell;
  private final Runnable onReceived;
  private volatile boolean closing;

  /**
   * A relay that waits to be run.
   *
   * @param bell has a permit for each message that came into the outbox
   * @param onReceived run for each message that the receiver has and the shop does not know of
   */
  Relay(Shop shop, Receiver receiver, Semaphore bell, Runnable onReceived) {
    this.shop = shop;
    this.receiver = receiver;
    this.bell = bell;
    this.onReceived = onReceived;
  }

  /** Lets {@link #run} return once the outbox is empty. */
  void close() {
    closing = true;
    bell.release();
  }

  /** Delivers what is in the outbox and what comes into it. */
  @Override
  public void run() {
    boolean last;
    do {
      last = closing;
      // What rings from here on may have been delivered already; a look more does no harm.
      bell.drainPermits();
      for (Message next = shop.nextMessage(); next != null; next = shop.nextMessage()) {
        receiver.receive(next);
        onReceived.run();
        shop.delivered(next);
      }
      if (!last) {
        bell.acquireUninterruptibly();
      }
    } while (!last);
  }
}

package io.rockpool.internal.catalog;

import io.rockpool.engine.Capability;
import io.rockpool.engine.ChangeListener;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.internal.concurrent.OrderedLock;
import io.rockpool.store.Registration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes what other handles of the store change to the holders of open objects, and closes objects
 * whose space has ended. Loss and return of the feed are passed under the catalog's lock, so that
 * an object that is opened meanwhile is either notified or finds {@link #isFeedLost}.
 */
final class RemoteChanges implements ChangeListener, AutoCloseable {
  private final List<NameHolder> holders;
  private final OrderedLock lock;
  private final boolean shared;
  private final Registration reports;
  private volatile boolean lost;

  /**
   * Starts to listen.
   *
   * @param lock the catalog's lock
   */
  RemoteChanges(Engine engine, List<NameHolder> holders, OrderedLock lock) {
    this.holders = holders;
    this.lock = lock;
    this.shared = engine.capabilities().contains(Capability.SHARED);
    this.reports = engine.onChange(this);
  }

  /** Whether other handles of the store may exist. */
  boolean areExpected() {
    return shared;
  }

  boolean isFeedLost() {
    return lost;
  }

  /** Whether another handle has dropped or reset a space. One read if the store is shared. */
  boolean hasEnded(Space space) {
    if (!shared) {
      return false;
    }
    try {
      return space.info().name().isEmpty(); // no name is
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Closes what is open under a name if its space has ended. One read if the store is shared. */
  void loseEnded(String name) {
    if (shared) {
      holders.stream()
          .filter(holder -> hasEnded(holder, name))
          .forEach(holder -> lose(holder, name));
    }
  }

  private boolean hasEnded(NameHolder holder, String name) {
    Space space = holder.openSpace(name);
    return space != null && hasEnded(space);
  }

  private void lose(NameHolder holder, String name) {
    lock.lock();
    try {
      if (hasEnded(holder, name)) { // otherwise it was opened again
        holder.lose(name, "was dropped or reset by another process; open it again.");
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rowChanged(String space, byte[] hashKey) {
    holders.forEach(holder -> holder.rowChanged(space, hashKey));
  }

  @Override
  public void spaceChanged(String space) {
    holders.forEach(holder -> holder.spaceChanged(space));
  }

  @Override
  public void spaceEnded(String space) {
    loseEnded(space);
  }

  @Override
  public void feedLost() {
    lost = true;
    // Not under the lock: an opening holds it while it waits for the same server. The second call
    // is for what is being opened.
    holders.forEach(NameHolder::feedLost);
    feed(true, NameHolder::feedLost);
  }

  @Override
  public void feedRegained() {
    try {
      // First, as memory is still bypassed: the server may fall silent again.
      holders.forEach(holder -> holder.openNames().forEach(this::loseEnded));
    } finally {
      feed(false, NameHolder::feedRegained);
    }
  }

  private void feed(boolean nowLost, Consumer<NameHolder> notification) {
    lock.lock();
    try {
      lost = nowLost;
      holders.forEach(notification);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the reports. */
  @Override
  public void close() {
    reports.close();
  }
}

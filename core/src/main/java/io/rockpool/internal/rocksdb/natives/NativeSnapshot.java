package io.rockpool.internal.rocksdb.natives;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A snapshot of the database. It is released once it is closed and its last reader has left, so
 * closing does not wait. Call it inside the {@link CloseGuard}.
 */
public final class NativeSnapshot implements AutoCloseable {
  private final Database database;
  private final ReadPoint point;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The number of readers, plus one until it is closed. */
  private final AtomicInteger holders = new AtomicInteger(1);

  public NativeSnapshot(Database database) {
    this.database = database;
    this.point = database.snapshot();
  }

  public ReadPoint point() {
    return point;
  }

  public boolean isClosed() {
    return closed.get();
  }

  /** Enters unless closed; returns whether it entered. If so, {@link #leave} must follow. */
  public boolean tryEnter() {
    int now = holders.get();
    while (now > 0 && !closed.get()) {
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holders.get();
    }
    return false;
  }

  public void leave() {
    if (holders.decrementAndGet() == 0) {
      database.release(point);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      leave();
    }
  }
}

package io.rockpool.internal.rocksdb.natives;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A snapshot of the database. It is let go when it is closed and the last one who reads it has
 * left; so closing waits for nobody. Everyone is inside the {@link CloseGuard}.
 */
public final class NativeSnapshot implements AutoCloseable {
  private final Database database;
  private final ReadPoint point;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Who reads it, and one more until it is closed. */
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

  /** Enters if it is open, and says whether it is; then {@link #leave} must follow. */
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

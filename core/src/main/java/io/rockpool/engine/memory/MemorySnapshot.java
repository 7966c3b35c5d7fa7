package io.rockpool.engine.memory;

import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.engine.JoinedSpace;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A snapshot of a space: it keeps the immutable tree of that instant. */
final class MemorySnapshot extends MemoryView implements SpaceSnapshot {
  private final SortedTree<RowState> rows;
  private final long takenMillis;
  private volatile boolean closed;

  MemorySnapshot(MemoryEngine engine, SpaceData data, Adversary adversary) {
    this(engine, data, adversary, data.wholeRows());
  }

  /** Creates a snapshot of rows that were just read. */
  MemorySnapshot(
      MemoryEngine engine, SpaceData data, Adversary adversary, SortedTree<RowState> rows) {
    super(engine, data, adversary);
    this.takenMillis = engine.clock().millis();
    this.rows = rows;
  }

  @Override
  public long takenMillis() {
    return takenMillis;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  SortedTree<RowState> rows() {
    return rows;
  }

  @Override
  Supplier<SortedTree<RowState>> rowsOfScan() {
    return () -> rows;
  }

  @Override
  long nowMillis() {
    return takenMillis;
  }

  @Override
  void checkThere() {
    if (closed) {
      throw new StoreClosedException("The snapshot of \"" + name() + "\" is closed; take another.");
    }
  }

  @Override
  void checkOpen() {
    super.checkOpen();
    checkThere();
  }

  @Override
  @Nullable JoinedSpace joined() {
    return null;
  }
}

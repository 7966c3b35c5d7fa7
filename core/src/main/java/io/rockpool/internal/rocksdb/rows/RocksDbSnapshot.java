package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.CloseGuard;
import io.rockpool.internal.rocksdb.natives.Leaks;
import io.rockpool.internal.rocksdb.natives.NativeScan;
import io.rockpool.internal.rocksdb.natives.NativeSnapshot;
import io.rockpool.internal.rocksdb.natives.OpenSnapshots;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A snapshot of a space: a snapshot of the database, and the space's generation at that time. */
public final class RocksDbSnapshot extends RocksDbView implements SpaceSnapshot {
  private final NativeSnapshot snapshot;
  private final Leaks.@Nullable Watch watch;
  private final long generation;

  private RocksDbSnapshot(
      StoreParts store,
      SpaceState state,
      NativeSnapshot snapshot,
      long takenMillis,
      long generation) {
    super(store, state, snapshot.point(), InstantSource.fixed(Instant.ofEpochMilli(takenMillis)));
    this.snapshot = snapshot;
    this.generation = generation;
    store.handles().snapshots().add(snapshot);
    OpenSnapshots open = store.handles().snapshots();
    this.watch =
        store.handles().leaks().watch(this, "A snapshot", state.name(), () -> open.close(snapshot));
  }

  private RocksDbSnapshot(
      StoreParts store, SpaceState state, NativeSnapshot snapshot, InstantSource clock) {
    super(store, state, snapshot.point(), clock);
    this.snapshot = snapshot;
    this.generation = state.generation();
    this.watch = null;
  }

  /**
   * A view of one space in a snapshot that the caller closes; {@code state} must have no expiry.
   */
  public static RocksDbSnapshot within(
      NativeSnapshot snapshot, StoreParts store, SpaceState state) {
    InstantSource taken = InstantSource.fixed(store.clock().instant());
    return new RocksDbSnapshot(store, state, snapshot, taken);
  }

  /** Takes a snapshot of the space. Call it inside the {@link CloseGuard}. */
  static RocksDbSnapshot of(StoreParts store, SpaceState state) {
    while (true) {
      long takenMillis = store.clock().millis();
      long generation = state.generation();
      NativeSnapshot snapshot = new NativeSnapshot(store.database());
      boolean same = false;
      try {
        // If the space was cleared in between, the snapshot may miss its records.
        same = state.generation() == generation;
        if (same) {
          return new RocksDbSnapshot(store, state, snapshot, takenMillis, generation);
        }
      } finally {
        if (!same) {
          snapshot.close();
        }
      }
    }
  }

  /**
   * A cursor over all records of the snapshot as they are stored, also expired ones; close it after
   * use.
   */
  RocksDbCursor scanStored() {
    enter();
    try {
      NativeScan scan =
          store
              .database()
              .scan(
                  snapshot.point(),
                  layout.family(),
                  Generation.prefix(generation),
                  Generation.prefix(generation + 1),
                  false,
                  true);
      return new RocksDbCursor(this, scan);
    } finally {
      leave();
    }
  }

  @Override
  public long takenMillis() {
    return clock().millis();
  }

  @Override
  void enter() {
    store.guard().enter();
    if (!snapshot.tryEnter()) {
      store.guard().leave();
      checkOpen();
    }
  }

  @Override
  void leave() {
    snapshot.leave();
    store.guard().leave();
  }

  @Override
  void checkOpen() {
    if (snapshot.isClosed()) {
      throw new StoreClosedException(
          "The snapshot of \"" + name() + "\" is closed, or its store is; take another.");
    }
  }

  @Override
  long generation() {
    return generation;
  }

  @Override
  @Nullable JoinedSpace joined() {
    return null;
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }

  @Override
  public String toString() {
    return "snapshot of the space \"" + name() + "\"";
  }
}

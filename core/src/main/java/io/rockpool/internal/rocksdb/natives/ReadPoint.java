package io.rockpool.internal.rocksdb.natives;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/** The version of the database that a read sees: the latest, or a snapshot. */
public final class ReadPoint implements AutoCloseable {
  /** Options for reads of records. Shared; do not change them. */
  final ReadOptions options = new ReadOptions();

  private final @Nullable Snapshot snapshot;

  /** Creates a point. The caller closes it, and then releases the snapshot. */
  ReadPoint(@Nullable Snapshot snapshot) {
    this.snapshot = snapshot;
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
  }

  /** Options for a scan, which closes them. */
  ReadOptions newOptions() {
    return new ReadOptions(options);
  }

  /** The snapshot to release after the point is closed, or null. */
  @Nullable Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public void close() {
    options.close();
  }
}

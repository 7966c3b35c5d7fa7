package io.rockpool.internal.rocksdb.natives;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/** As of when the database is read: now, or as of a snapshot of it. */
public final class ReadPoint implements AutoCloseable {
  private final ReadOptions options = new ReadOptions();
  private final @Nullable Snapshot snapshot;

  /** A point that the caller closes, and then the snapshot. */
  ReadPoint(@Nullable Snapshot snapshot) {
    this.snapshot = snapshot;
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
  }

  /** For reads of records. Shared, not to be changed. */
  ReadOptions options() {
    return options;
  }

  /** For a scan, which closes them. */
  ReadOptions newOptions() {
    return new ReadOptions(options);
  }

  /** What is to be released when the point is closed, or null. */
  @Nullable Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public void close() {
    options.close();
  }
}

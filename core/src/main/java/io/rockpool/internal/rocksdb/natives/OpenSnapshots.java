package io.rockpool.internal.rocksdb.natives;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open snapshots, so that closing the store can release their native memory. {@link Leaks}
 * closes unreachable ones earlier.
 */
public final class OpenSnapshots {
  private final Set<NativeSnapshot> snapshots = ConcurrentHashMap.newKeySet();

  public void add(NativeSnapshot snapshot) {
    snapshots.add(snapshot);
  }

  /** Closes a snapshot. Call it inside the {@link CloseGuard}. */
  public void close(NativeSnapshot snapshot) {
    snapshots.remove(snapshot);
    snapshot.close();
  }

  /** The number of open snapshots. */
  public int count() {
    return snapshots.size();
  }

  /** Closes all open snapshots. No thread may be inside the {@link CloseGuard} any longer. */
  public void closeAll() {
    snapshots.forEach(NativeSnapshot::close);
    snapshots.clear();
  }
}

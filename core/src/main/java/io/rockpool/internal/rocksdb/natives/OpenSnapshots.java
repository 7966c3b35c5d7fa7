package io.rockpool.internal.rocksdb.natives;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The snapshots that hold native memory and keep old records on disk, so that closing the store can
 * release those that no one closed. Those that no one can reach any more are closed before that,
 * see {@link Leaks}.
 */
public final class OpenSnapshots {
  private final Set<NativeSnapshot> snapshots = ConcurrentHashMap.newKeySet();

  public void add(NativeSnapshot snapshot) {
    snapshots.add(snapshot);
  }

  /** Closes a snapshot; the caller is inside the {@link CloseGuard}. */
  public void close(NativeSnapshot snapshot) {
    snapshots.remove(snapshot);
    snapshot.close();
  }

  /** How many are open. */
  public int count() {
    return snapshots.size();
  }

  /** Closes all that are open; no one is inside the {@link CloseGuard} any more. */
  public void closeAll() {
    snapshots.forEach(NativeSnapshot::close);
    snapshots.clear();
  }
}

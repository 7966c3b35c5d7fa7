package io.rockpool.engine.rocksdb;

import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The snapshots that hold native memory and keep old records on disk, so that closing the store can
 * release those that no one closed. Those that no one can reach any more are closed before that.
 */
final class OpenSnapshots {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<NativeSnapshot> snapshots = ConcurrentHashMap.newKeySet();

  /**
   * Adds a snapshot that is to be closed once no one can reach {@code owner} any more, or when the
   * result is asked to.
   */
  Cleaner.Cleanable add(Object owner, NativeSnapshot snapshot, CloseGuard guard) {
    snapshots.add(snapshot);
    return CLEANER.register(
        owner,
        () -> {
          if (guard.tryEnter()) {
            try {
              snapshots.remove(snapshot);
              snapshot.close();
            } finally {
              guard.leave();
            }
          }
        });
  }

  /** How many are open. */
  int count() {
    return snapshots.size();
  }

  /** Closes all that are open; no one is inside the {@link CloseGuard} any more. */
  void closeAll() {
    snapshots.forEach(NativeSnapshot::close);
    snapshots.clear();
  }
}

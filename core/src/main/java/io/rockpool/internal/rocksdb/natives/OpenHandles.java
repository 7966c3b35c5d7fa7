package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.concurrent.EveryStep;

/** The open scans and snapshots of a store, and the watch over those that are forgotten. */
public record OpenHandles(OpenScans scans, OpenSnapshots snapshots, Leaks leaks) {
  /** Closes all scans, then all snapshots. */
  public void closeAll() {
    new EveryStep().take(scans::closeAll).take(snapshots::closeAll).end();
  }
}

package io.rockpool.internal.rocksdb.natives;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scans that hold native memory, so that closing the store can free those that no one closed.
 */
public final class OpenScans {
  private final Set<NativeScan> scans = ConcurrentHashMap.newKeySet();

  public void add(NativeScan scan) {
    scans.add(scan);
  }

  /** Closes a scan; the caller is inside the {@link CloseGuard}. */
  public void close(NativeScan scan) {
    scans.remove(scan);
    scan.close();
  }

  /** How many are open. */
  int count() {
    return scans.size();
  }

  /** Closes all that are open; no one is inside the {@link CloseGuard} any more. */
  public void closeAll() {
    scans.forEach(NativeScan::close);
    scans.clear();
  }
}

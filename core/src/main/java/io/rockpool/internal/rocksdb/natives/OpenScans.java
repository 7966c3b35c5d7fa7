package io.rockpool.internal.rocksdb.natives;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open scans, so that closing the store can free their native memory. */
public final class OpenScans {
  private final Set<NativeScan> scans = ConcurrentHashMap.newKeySet();

  public void add(NativeScan scan) {
    scans.add(scan);
  }

  /** Closes a scan. Call it inside the {@link CloseGuard}. */
  public void close(NativeScan scan) {
    scans.remove(scan);
    scan.close();
  }

  /** The number of open scans. */
  int count() {
    return scans.size();
  }

  /** Closes all open scans. No thread may be inside the {@link CloseGuard} any longer. */
  public void closeAll() {
    scans.forEach(NativeScan::close);
    scans.clear();
  }
}

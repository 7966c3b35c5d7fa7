package io.rockpool.cache;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The bytes that running operations have chosen for their foreign keys. A key is in use while its
 * array is reachable: the operation holds it, and so does everything that waits for the operation.
 * So operations on equal keys share one array even before there is an entry. Thread-safe; runs no
 * user code.
 */
final class KeysInUse {
  private static final int STRIPES = 64;

  private static final class Use extends WeakReference<byte[]> {
    private final EntryKey row;

    Use(EntryKey row, byte[] key, ReferenceQueue<byte[]> unused) {
      super(key, unused);
      this.row = row;
    }
  }

  /**
   * The keys of a row that were in use at one moment.
   *
   * @param version changes when a key is added
   */
  record Seen(List<byte[]> keys, int version) {}

  private final Map<EntryKey, List<Use>> rows = new HashMap<>();
  private final ReferenceQueue<byte[]> unused = new ReferenceQueue<>();
  private final int[] versions = new int[STRIPES];

  /** Returns the keys of a row that are in use. */
  synchronized Seen seen(EntryKey row) {
    List<byte[]> keys = new ArrayList<>();
    for (Use use : rows.getOrDefault(row, List.of())) {
      byte[] key = use.get();
      if (key != null) {
        keys.add(key);
      }
    }
    return new Seen(keys, versions[stripe(row)]);
  }

  /** Adds a key to those of its row; returns false if another one was added since. */
  synchronized boolean add(EntryKey row, byte[] key, Seen since) {
    forgetUnused();
    int stripe = stripe(row);
    if (versions[stripe] != since.version()) {
      return false;
    }
    versions[stripe]++;
    rows.computeIfAbsent(row, absent -> new ArrayList<>(1)).add(new Use(row, key, unused));
    return true;
  }

  /** Returns how many rows have keys in use, or had until recently. */
  synchronized int size() {
    forgetUnused();
    return rows.size();
  }

  private void forgetUnused() {
    for (Reference<? extends byte[]> it = unused.poll(); it != null; it = unused.poll()) {
      Use use = (Use) it;
      List<Use> uses = rows.get(use.row);
      if (uses != null && uses.remove(use) && uses.isEmpty()) {
        rows.remove(use.row);
      }
    }
  }

  private static int stripe(EntryKey row) {
    return Math.floorMod(row.hashCode(), STRIPES);
  }
}

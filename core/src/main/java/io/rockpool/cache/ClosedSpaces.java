package io.rockpool.cache;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shared spaces of names without an open cache, while they are still used. A call of a closed
 * cache that has not returned must share its stripes with the caches that are opened next. Not
 * thread-safe.
 */
final class ClosedSpaces {
  private static final class Closed extends WeakReference<SharedSpace> {
    private final String name;

    Closed(String name, SharedSpace space, ReferenceQueue<SharedSpace> unused) {
      super(space, unused);
      this.name = name;
    }
  }

  private final Map<String, Closed> byName = new HashMap<>();
  private final ReferenceQueue<SharedSpace> unused = new ReferenceQueue<>();

  /** Adds a space; it is forgotten when nothing uses it. */
  void add(String name, SharedSpace space) {
    Reference<? extends SharedSpace> gone = unused.poll();
    while (gone != null) {
      byName.remove(((Closed) gone).name, gone);
      gone = unused.poll();
    }
    byName.put(name, new Closed(name, space, unused));
  }

  /**
   * Removes and returns the space of a name that is opened again; null if nothing has used it
   * since.
   */
  @Nullable SharedSpace take(String name) {
    Closed closed = byName.remove(name);
    return closed == null ? null : closed.get();
  }

  /** Forgets a name that was dropped or reset. */
  void lose(String name) {
    byName.remove(name);
  }
}

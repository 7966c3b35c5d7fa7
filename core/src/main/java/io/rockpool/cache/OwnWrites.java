package io.rockpool.cache;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rejects functions that write the key they decide on. Otherwise each decision would find the entry
 * changed by itself, and be repeated forever. Only repeated decisions are watched: a write of the
 * key by the deciding thread is then rejected. Writes cost almost nothing while no decision is
 * repeated.
 */
final class OwnWrites {
  private static final ConcurrentHashMap<Thread, OwnWrites> WATCHED = new ConcurrentHashMap<>();

  private final Object space;
  private final List<EntryKey> keys;
  private final @Nullable OwnWrites outer;

  private OwnWrites(Object space, List<EntryKey> keys, @Nullable OwnWrites outer) {
    this.space = space;
    this.keys = keys;
    this.outer = outer;
  }

  /** Calls a function that decides on keys of a space, for the first time or {@code again}. */
  static <R> R decide(boolean again, Object space, List<EntryKey> keys, Supplier<R> decision) {
    return again ? watch(space, keys, decision) : decision.get();
  }

  private static <R> R watch(Object space, List<EntryKey> keys, Supplier<R> decision) {
    Thread thread = Thread.currentThread();
    OwnWrites outer = WATCHED.get(thread);
    WATCHED.put(thread, new OwnWrites(space, keys, outer));
    try {
      return decision.get();
    } finally {
      if (outer == null) {
        WATCHED.remove(thread);
      } else {
        WATCHED.put(thread, outer);
      }
    }
  }

  /**
   * Called before each write of a key by an application. Returns true.
   *
   * @throws IllegalStateException if this thread is inside a repeated decision on the key
   */
  static boolean permit(Object space, EntryKey key) {
    for (OwnWrites it = WATCHED.get(Thread.currentThread()); it != null; it = it.outer) {
      if (it.space == space
          && it.keys.stream().anyMatch(own -> Arrays.equals(own.bytes(), key.bytes()))) {
        throw new IllegalStateException(
            "Recursive update: a function changed the key that it decides on. Return the new value from the function instead.");
      }
    }
    return true;
  }
}

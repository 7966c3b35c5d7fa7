package io.rockpool.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries whose puts were dropped while no server answered. Each is removed from its server before
 * this process reads or writes it again: it is older than what was put. Thread-safe; a thread waits
 * while another one removes.
 */
final class DroppedPuts {
  /** Beyond it, all entries of the space are removed. */
  static final int MAX_KEYS = 10_000;

  private final Map<RedisSpaceState, Map<ByteBuffer, byte[]>> dropped = new HashMap<>();
  private volatile boolean any;

  /** Removes entries from their servers. */
  interface Remover {
    /** Removes entries. */
    void remove(List<byte[]> hashKeys);

    /** Removes all entries of the space. */
    void removeAll();
  }

  boolean isEmpty() {
    return !any;
  }

  synchronized void add(RedisSpaceState state, Collection<byte[]> hashKeys) {
    Map<ByteBuffer, byte[]> keys = dropped.computeIfAbsent(state, absent -> new HashMap<>());
    if (keys.size() <= MAX_KEYS) {
      hashKeys.stream().map(byte[]::clone).forEach(key -> keys.put(ByteBuffer.wrap(key), key));
    }
    any = true;
  }

  /** Removes those of these entries whose puts were dropped; null for all entries. */
  void settle(RedisSpaceState state, @Nullable Collection<byte[]> hashKeys, Remover remover) {
    if (any) {
      settleNow(state, hashKeys, remover);
    }
  }

  private synchronized void settleNow(
      RedisSpaceState state, @Nullable Collection<byte[]> hashKeys, Remover remover) {
    Map<ByteBuffer, byte[]> keys = dropped.get(state);
    if (keys == null) {
      return;
    }
    if (keys.size() > MAX_KEYS) {
      remover.removeAll();
      keys.clear();
    } else {
      List<byte[]> due = new ArrayList<>();
      if (hashKeys == null) {
        due.addAll(keys.values());
      } else {
        hashKeys.stream().filter(key -> keys.containsKey(ByteBuffer.wrap(key))).forEach(due::add);
      }
      if (!due.isEmpty()) {
        remover.remove(due);
        due.forEach(key -> keys.remove(ByteBuffer.wrap(key)));
      }
    }
    if (keys.isEmpty()) {
      dropped.remove(state);
      any = !dropped.isEmpty();
    }
  }

  /** The spaces that have such entries. */
  synchronized List<RedisSpaceState> spaces() {
    return List.copyOf(dropped.keySet());
  }

  /** Forgets a space, which has been cleared or has ended. */
  synchronized void forget(RedisSpaceState state) {
    dropped.remove(state);
    any = !dropped.isEmpty();
  }
}

package io.rockpool.jcache;

import io.rockpool.codec.Codec;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running entry processors of a cache, by thread. A processor that changed its own entry
 * through the cache would run again on its own change without end, so that is refused.
 */
final class RunningProcessors<K> {
  private final Map<Thread, Running<K>> running = new ConcurrentHashMap<>();
  private final Codec<K> codec;

  /** The keys of a call, and the call inside whose processor it was made. */
  private record Running<K>(Collection<? extends K> keys, @Nullable Running<K> outer) {}

  RunningProcessors(Codec<K> codec) {
    this.codec = codec;
  }

  /** What ends with a processor. */
  interface Run extends AutoCloseable {
    @Override
    void close();
  }

  /** Notes that this thread runs a processor of a call on these keys. */
  Run begin(Collection<? extends K> keys) {
    Thread thread = Thread.currentThread();
    Running<K> outer = running.get(thread);
    running.put(thread, new Running<>(keys, outer));
    return () -> {
      if (outer == null) {
        running.remove(thread);
      } else {
        running.put(thread, outer);
      }
    };
  }

  /** Refuses a change of entries that a processor on this thread is called for. */
  void check(Collection<? extends K> keys) {
    if (running.containsKey(Thread.currentThread())) {
      keys.forEach(this::check);
    }
  }

  /** As {@link #check(Collection)}. While no processor runs, this costs next to nothing. */
  void check(K key) {
    for (Running<K> call = running.get(Thread.currentThread()); call != null; call = call.outer()) {
      ByteBuffer changed = bytes(key);
      if (call.keys().stream().anyMatch(own -> bytes(own).equals(changed))) {
        throw new IllegalStateException(
            "An entry processor tried to change through the cache an entry that it was called for. Use the"
                + " MutableEntry that was given to it.");
      }
    }
  }

  private ByteBuffer bytes(K key) {
    return ByteBuffer.wrap(StoreChanges.call(() -> codec.encode(key)));
  }
}

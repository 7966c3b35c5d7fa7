package io.rockpool.redis;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest scripted write of this process for each key, by its id. A server reports the writes of
 * scripts to their own sender too. Such a report is dropped if the entry still has the id, because
 * then nothing was written after it. Thread-safe.
 */
final class OwnEchoes {
  /** Beyond it, the oldest echo is treated as a change of another process. */
  private static final int MAX_KEYS = 10_000;

  private final Map<ByteBuffer, Long> expected =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Long> eldest) {
          return size() > MAX_KEYS;
        }
      };

  synchronized void expect(byte[] key, long writeId) {
    expected.put(ByteBuffer.wrap(key), writeId);
  }

  /** Forgets a write that was not made. */
  synchronized void forget(byte[] key, long writeId) {
    expected.remove(ByteBuffer.wrap(key), writeId);
  }

  /** Removes and returns the id of the write whose echo this may be. */
  synchronized @Nullable Long take(byte[] key) {
    return expected.remove(ByteBuffer.wrap(key));
  }
}

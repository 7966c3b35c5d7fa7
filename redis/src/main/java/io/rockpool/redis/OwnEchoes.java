package io.rockpool.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest scripted writes of this process for each key, by their ids. A server reports the
 * writes of scripts to their own sender too. Such a report is dropped if the entry still has one of
 * the ids, because then nothing was written after it. A load writes a placeholder and then its
 * value, and the report of the first may come after the second was written. Thread-safe.
 */
final class OwnEchoes {
  /** Beyond it, the oldest ones are treated as changes of another process. Some 10 MB. */
  static final int MAX_KEYS = 40_000;

  /** The placeholders and values of two loads. */
  private static final int MAX_IDS = 4;

  private final Map<ByteBuffer, Own> expected =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Own> eldest) {
          return size() > MAX_KEYS;
        }
      };

  /** The ids, and how many reports are still to come. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Own(long[] ids, int reports) {}

  /** Notes a write of a script, which will be reported. */
  synchronized void expect(byte[] key, long writeId) {
    expected.merge(
        ByteBuffer.wrap(key),
        new Own(new long[] {writeId}, 1),
        (old, it) -> new Own(with(old.ids, writeId), old.reports + 1));
  }

  private static long[] with(long[] ids, long id) {
    int from = ids.length < MAX_IDS ? 0 : 1;
    long[] more = Arrays.copyOfRange(ids, from, ids.length + 1);
    more[more.length - 1] = id;
    return more;
  }

  /** Forgets a write that was not made. */
  synchronized void forget(byte[] key, long writeId) {
    expected.computeIfPresent(
        ByteBuffer.wrap(key),
        (any, own) -> {
          long[] left = Arrays.stream(own.ids).filter(id -> id != writeId).toArray();
          boolean found = left.length < own.ids.length;
          return left.length == 0
              ? null
              : new Own(left, found ? Math.max(0, own.reports - 1) : own.reports);
        });
  }

  /** Returns the ids of the writes whose report this may be, and counts the report. */
  synchronized long @Nullable [] take(byte[] key) {
    ByteBuffer wrapped = ByteBuffer.wrap(key);
    Own own = expected.get(wrapped);
    if (own == null) {
      return null;
    }
    if (own.reports > 1) {
      expected.put(wrapped, new Own(own.ids, own.reports - 1));
    } else {
      expected.remove(wrapped);
    }
    return own.ids;
  }
}

package io.rockpool.cache;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.internal.access.CacheSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a bounded number of a cache's entries at several places, so that they do not all have
 * similar keys. Decodes no values.
 */
final class Sampling {
  /** The number of places; each costs the opening of a scan. */
  private static final int PLACES = 16;

  private final CacheEntries<?, ?> entries;
  private final int limit;
  private final List<Duration> ttls = new ArrayList<>();
  private boolean whole = true;
  private int looked;

  Sampling(CacheEntries<?, ?> entries, int limit) {
    this.entries = entries;
    this.limit = limit;
  }

  CacheSample take() {
    List<RecordKey> ends = entries.space().splits(Math.min(PLACES, limit));
    RecordKey after = null;
    for (int i = 0; i <= ends.size(); i++) {
      RecordKey end = i < ends.size() ? ends.get(i) : null;
      look(after, end, (i + 1) * limit / (ends.size() + 1));
      after = end;
    }
    return new CacheSample(whole, ttls);
  }

  /** Reads the records between two places, up to the limit of all places. */
  private void look(@Nullable RecordKey after, @Nullable RecordKey end, int most) {
    try (Cursor cursor = entries.space().scanAll(after, end)) {
      while (cursor.next()) {
        if (looked == most) {
          whole = false;
          return;
        }
        looked++;
        addTtl(cursor);
      }
    }
  }

  private void addTtl(Cursor cursor) {
    byte[] key = cursor.hashKey();
    byte[] value = cursor.value();
    HotEntry entry = entries.format.header(value, 0, value.length, cursor.expiryMillis());
    if (entries.reader.isInvalidated(entry, false)) {
      return;
    }
    long deadline = entries.reader.deadline(EntryKey.of(key, key, false), entry);
    if (deadline == Expiry.NEVER) {
      ttls.add(CacheExpiry.FOREVER);
      return;
    }
    long millis = deadline - entries.clock().millis();
    if (millis > 0) {
      ttls.add(Duration.ofMillis(millis));
    }
  }
}

package io.rockpool.cache;

import io.rockpool.engine.Limits;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongBiFunction;

/** Puts without reads, collected into batches of {@link Limits#MAX_BATCH_BYTES}. */
final class PutBatch<K, V> {
  private final CacheEntries<K, V> entries;
  private final ToLongBiFunction<? super K, ? super V> plannedMillis;
  private final Tagging<K, V> tagging;
  private final List<EncodedEntry> puts = new ArrayList<>();
  private final List<EntryKey> putKeys = new ArrayList<>();
  private final List<EntryKey> deletes = new ArrayList<>();
  private final List<Tagged<V>> tagged = new ArrayList<>();
  private long bytes;

  /** Whether a part was written. */
  private boolean isBegun;

  /** A put whose value has tags. */
  private record Tagged<V>(EntryKey key, V value, long plannedMillis, EntryTags tags) {}

  /** An empty batch; the last argument says until when an entry lives. */
  PutBatch(CacheEntries<K, V> entries, ToLongBiFunction<? super K, ? super V> plannedMillis) {
    this.entries = entries;
    this.plannedMillis = plannedMillis;
    this.tagging = entries.tagging.begin();
  }

  void putAll(Map<? extends K, ? extends V> map) {
    map.forEach(this::add);
    write();
  }

  private void add(K key, V value) {
    EntryKey entryKey = entries.format.key(key);
    long deadline = plannedMillis.applyAsLong(key, value);
    if (deadline == 0) {
      deletes.add(entryKey);
      return;
    }
    EntryTags tags = tagging.of(key, value);
    EncodedEntry written = entries.writing.write(entryKey, value, deadline, tags);
    if (written == null) {
      deletes.add(entryKey);
      return;
    }
    if (tags != null) {
      tagged.add(new Tagged<>(entryKey, value, deadline, tags));
    }
    puts.add(written);
    putKeys.add(entryKey);
    bytes += written.value().length + entryKey.bytes().length;
    if (bytes >= Limits.MAX_BATCH_BYTES) {
      write();
    }
  }

  /** Puts a value again if one of its tags was invalidated since the batch began. */
  private void writeRenewed(Tagged<V> put) {
    EntryTags renewed = put.tags.renewed();
    if (renewed != null) {
      entries.updates.write(put.key, put.value, put.plannedMillis, renewed);
    }
  }

  private void write() {
    try {
      if (!puts.isEmpty()) {
        entries.updates.writeAll(puts, putKeys);
        isBegun = true;
        tagged.forEach(this::writeRenewed);
      }
      if (!deletes.isEmpty()) {
        entries.updates.deleteAll(deletes);
        isBegun = true;
      }
    } catch (ServerUnavailableException e) {
      if (!isBegun) {
        throw e;
      }
      throw new OutcomeUnknownException(
          "A putAll of the cache \""
              + entries.space().name()
              + "\" was made in part: "
              + e.getMessage()
              + " Repeat it, or read the entries.",
          e);
    }
    if (!tagged.isEmpty()) {
      boolean unused = tagging.renew();
      tagged.clear();
    }
    puts.clear();
    putKeys.clear();
    deletes.clear();
    bytes = 0;
  }
}

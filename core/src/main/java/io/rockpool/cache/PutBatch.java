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
  private final List<CacheEntryFormat.Written> puts = new ArrayList<>();
  private final List<EntryKey> putKeys = new ArrayList<>();
  private final List<EntryKey> deletes = new ArrayList<>();
  private long bytes;

  /** Whether a part was written. */
  private boolean isBegun;

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
    CacheEntryFormat.Written written =
        entries.writing.write(entryKey, value, deadline, tagging.of(key, value));
    if (written == null) {
      deletes.add(entryKey);
      return;
    }
    puts.add(written);
    putKeys.add(entryKey);
    bytes += written.value().length + entryKey.bytes().length;
    if (bytes >= Limits.MAX_BATCH_BYTES) {
      write();
    }
  }

  private void write() {
    try {
      if (!puts.isEmpty()) {
        entries.updates.writeAll(puts, putKeys);
        isBegun = true;
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
    puts.clear();
    putKeys.clear();
    deletes.clear();
    bytes = 0;
  }
}

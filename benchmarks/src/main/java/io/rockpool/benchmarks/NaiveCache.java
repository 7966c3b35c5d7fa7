package io.rockpool.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What anyone would write: look in Caffeine, else in RocksDB; put into both. Fifty lines, and a
 * read that overlaps a put may leave the older value in memory for good.
 */
final class NaiveCache {
  private final NativeStore store;
  private final Cache<String, String> memory;
  private final WriteOptions writes = new WriteOptions();

  NaiveCache(NativeStore store, int maxEntries) {
    this.store = store;
    this.memory = Caffeine.newBuilder().maximumSize(maxEntries).build();
  }

  @Nullable String get(String key) throws RocksDBException {
    String value = memory.getIfPresent(key);
    if (value == null) {
      byte[] record = store.db.get(store.entries, storedKey(key));
      if (record != null) {
        value = store.decode(record);
        memory.put(key, value);
      }
    }
    return value;
  }

  void put(String key, String value) throws RocksDBException {
    store.db.put(store.entries, storedKey(key), store.record(Data.VALUES.encode(value)));
    memory.put(key, value);
  }

  Map<String, String> getAll(Collection<String> keys) throws RocksDBException {
    Map<String, String> values = new HashMap<>();
    for (String key : keys) {
      String value = get(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    return values;
  }

  void putAll(Map<String, String> values) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (Map.Entry<String, String> entry : values.entrySet()) {
        batch.put(
            store.entries,
            storedKey(entry.getKey()),
            store.record(Data.VALUES.encode(entry.getValue())));
      }
      store.db.write(writes, batch);
    }
    memory.putAll(values);
  }

  private byte[] storedKey(String key) {
    return store.key(Data.KEYS.encode(key));
  }
}

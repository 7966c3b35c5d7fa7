package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** {@link Peer#NAIVE}. */
final class NaiveContestant implements Contestant {
  private final Data data;
  private final NativeStore store;
  private final NaiveCache cache;
  private List<Map<String, String>> batches = List.of();

  NaiveContestant(Path directory, Data data, int maxEntries) {
    this.data = data;
    this.store = new NativeStore(directory, data.valueBytes()[0].length);
    this.cache = new NaiveCache(store, maxEntries);
  }

  @Override
  public @Nullable Object get(int index) {
    try {
      return cache.get(data.keyAt(index));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void put(int index) {
    try {
      cache.put(data.keyAt(index), data.valueAt(index));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void prepare(List<int[]> newBatches) {
    batches = newBatches.stream().map(data::map).toList();
  }

  @Override
  public Object getAll(int batch) {
    try {
      return cache.getAll(batches.get(batch).keySet());
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void putAll(int batch) {
    try {
      cache.putAll(batches.get(batch));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}

package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@link Peer#ROCKPOOL}. */
final class RockpoolContestant implements Contestant {
  private final Data data;
  private final Rockpool pool;
  private final PersistentCache<String, String> cache;
  private List<Map<String, String>> batches = List.of();

  RockpoolContestant(Path directory, Data data, int hotEntries) {
    this.data = data;
    this.pool = Rockpool.open(directory);
    this.cache = open(pool, hotEntries);
  }

  /** The one cache of a prepared store. */
  static PersistentCache<String, String> open(Rockpool pool, int hotEntries) {
    return pool.cache(
        PreparedStore.NAME, String.class, String.class, options -> options.hotEntries(hotEntries));
  }

  PersistentCache<String, String> cache() {
    return cache;
  }

  @Override
  public @Nullable Object get(int index) {
    return cache.get(data.keyAt(index));
  }

  @Override
  public void put(int index) {
    cache.put(data.keyAt(index), data.valueAt(index));
  }

  @Override
  public void put(int index, Duration ttl) {
    cache.put(data.keyAt(index), data.valueAt(index), ttl);
  }

  @Override
  public void prepare(List<int[]> newBatches) {
    batches = newBatches.stream().map(data::map).toList();
  }

  @Override
  public Object getAll(int batch) {
    return cache.getAll(batches.get(batch).keySet());
  }

  @Override
  public void putAll(int batch) {
    cache.putAll(batches.get(batch));
  }

  @Override
  public void close() {
    pool.close();
  }
}

package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store with one cache of numbered entries, in a directory of its own that it deletes. */
final class ScaleStore implements AutoCloseable {
  private static final int BATCH_BYTES = 1 << 20;
  private static final int MAX_BATCH = 1_000;
  private static final int HOT_ENTRIES = 10_000;
  private static final int VALUES = 1_024;
  private static final int RANDOM_SEED = 7;

  private final Path directory;
  private final long diskBudgetBytes;
  private final byte[][] values = new byte[VALUES][];
  private Rockpool pool;
  private PersistentCache<Long, byte[]> cache;

  ScaleStore(int valueBytes, long diskBudgetBytes) throws IOException {
    Files.createDirectories(PreparedStore.root());
    this.directory = Files.createTempDirectory(PreparedStore.root(), "scale-");
    this.diskBudgetBytes = diskBudgetBytes;
    SplittableRandom random = new SplittableRandom(RANDOM_SEED);
    for (int i = 0; i < VALUES; i++) {
      values[i] = new byte[valueBytes];
      random.nextBytes(values[i]);
    }
    this.pool = open();
    this.cache = cache("entries");
  }

  private Rockpool open() {
    return Rockpool.at(directory).diskBudgetBytes(diskBudgetBytes).open();
  }

  private PersistentCache<Long, byte[]> cache(String name) {
    return pool.cache(name, Long.class, byte[].class, options -> options.hotEntries(HOT_ENTRIES));
  }

  Rockpool pool() {
    return pool;
  }

  /** Puts entries from one number to another in batches; returns how many a second. */
  double fill(String name, long from, long to) {
    PersistentCache<Long, byte[]> filled = name.equals("entries") ? cache : cache(name);
    int batch = Math.max(1, Math.min(MAX_BATCH, BATCH_BYTES / values[0].length));
    long begin = System.nanoTime();
    Map<Long, byte[]> entries = new HashMap<>();
    for (long key = from; key < to; key++) {
      entries.put(key, values[(int) (key % VALUES)]);
      if (entries.size() == batch || key == to - 1) {
        filled.putAll(entries);
        entries.clear();
      }
    }
    return (to - from) / seconds(begin);
  }

  void clear(String name) {
    cache(name).clear();
  }

  Consumer<SplittableRandom> gets(long entries) {
    return random -> cache.get(random.nextLong(entries));
  }

  Consumer<SplittableRandom> puts(long entries) {
    return random -> cache.put(random.nextLong(entries), values[random.nextInt(VALUES)]);
  }

  /** Reads up to {@code most} entries by an iterator; returns how many a second. */
  double scan(long most) {
    long begin = System.nanoTime();
    Iterator<Map.Entry<Long, byte[]>> iterator = cache.iterator();
    long read = 0;
    while (read < most && iterator.hasNext()) {
      iterator.next();
      read++;
    }
    return read / seconds(begin);
  }

  /** Closes and opens it, and gets one entry; returns the milliseconds of the opening. */
  double reopenMillis() {
    pool.close();
    long begin = System.nanoTime();
    pool = open();
    cache = cache("entries");
    byte @Nullable [] value = cache.get(0L);
    if (value == null) {
      throw new IllegalStateException("The first entry is missing after a reopen.");
    }
    return seconds(begin) * TimeUnit.SECONDS.toMillis(1);
  }

  private static double seconds(long begin) {
    return (double) (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
  }

  @Override
  public void close() {
    pool.close();
    PreparedStore.delete(directory);
  }
}

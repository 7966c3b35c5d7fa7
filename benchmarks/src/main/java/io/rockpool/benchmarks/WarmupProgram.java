package io.rockpool.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.sun.management.OperatingSystemMXBean;
import io.rockpool.Rockpool;
import io.rockpool.benchmarks.JCachePeer.Keeper;
import io.rockpool.cache.PersistentCache;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.ehcache.PersistentCacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * A process that {@link Warmup} starts: a service after a restart. It opens a store that an earlier
 * one filled, and reads and writes until it has used so much processor time. It uses nothing of
 * Rockpool but what takes part.
 */
final class WarmupProgram {
  /** Between two lines of output. */
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Between two looks at the processor time, which cost a system call. */
  private static final int STEP = 200;

  private static final int PERCENT_WRITES = 5;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  /** Who takes part: text on a disk, with room in memory for some. */
  enum Peer {
    /** RocksDB alone. */
    ROCKSDB {
      @Override
      Keeper open(Path directory, int room) throws RocksDBException {
        return new Naive(directory, null);
      }
    },
    /** RocksDB behind a Caffeine, as anyone would write it. */
    NAIVE {
      @Override
      Keeper open(Path directory, int room) throws RocksDBException {
        return new Naive(directory, Caffeine.newBuilder().maximumSize(room).build());
      }
    },
    /** Ehcache 3 with a heap and a disk tier. */
    EHCACHE {
      @Override
      Keeper open(Path directory, int room) {
        return new Tiers(directory, room);
      }
    },
    /** Rockpool's cache. */
    ROCKPOOL {
      @Override
      Keeper open(Path directory, int room) {
        return new Ours(directory, room);
      }
    };

    abstract Keeper open(Path directory, int room) throws RocksDBException;
  }

  private static final class Naive implements Keeper {
    private final RocksDB db;
    private final @Nullable Cache<String, String> memory;

    private Naive(Path directory, @Nullable Cache<String, String> memory) throws RocksDBException {
      this.db = RocksDB.open(new Options().setCreateIfMissing(true), directory.toString());
      this.memory = memory;
    }

    @Override
    public @Nullable Object get(String key) {
      String value = memory == null ? null : memory.getIfPresent(key);
      if (value != null) {
        return value;
      }
      try {
        byte[] record = db.get(key.getBytes(StandardCharsets.UTF_8));
        if (record == null) {
          return null;
        }
        String read = new String(record, StandardCharsets.UTF_8);
        if (memory != null) {
          memory.put(key, read);
        }
        return read;
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void put(String key, String value) {
      try {
        db.put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
      if (memory != null) {
        memory.put(key, value);
      }
    }

    @Override
    public void close() {
      db.close();
    }
  }

  private static final class Tiers implements Keeper {
    private final PersistentCacheManager manager;
    private final org.ehcache.Cache<String, String> cache;

    private Tiers(Path directory, int room) {
      this.manager =
          CacheManagerBuilder.newCacheManagerBuilder()
              .with(CacheManagerBuilder.persistence(directory.toFile()))
              .build(true);
      this.cache =
          manager.createCache(
              "cache",
              CacheConfigurationBuilder.newCacheConfigurationBuilder(
                  String.class,
                  String.class,
                  ResourcePoolsBuilder.heap(room).disk(1, MemoryUnit.GB, true)));
    }

    @Override
    public @Nullable Object get(String key) {
      return cache.get(key);
    }

    @Override
    public void put(String key, String value) {
      cache.put(key, value);
    }

    @Override
    public void close() {
      manager.close();
    }
  }

  private static final class Ours implements Keeper {
    private final Rockpool pool;
    private final PersistentCache<String, String> cache;

    private Ours(Path directory, int room) {
      this.pool = Rockpool.open(directory);
      this.cache = pool.cache("cache", String.class, String.class, o -> o.hotEntries(room));
    }

    @Override
    public @Nullable Object get(String key) {
      return cache.get(key);
    }

    @Override
    public void put(String key, String value) {
      cache.put(key, value);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private WarmupProgram() {}

  /** With a peer, its directory, the number of entries, and the seconds of processor time. */
  public static void main(String[] args) throws Exception {
    int entries = Integer.parseInt(args[2]);
    long limit = (long) (Double.parseDouble(args[3]) * TimeUnit.SECONDS.toNanos(1));
    SplittableRandom random = new SplittableRandom(1);
    try (Keeper keeper = Peer.valueOf(args[0]).open(Path.of(args[1]), entries / 10)) {
      use(keeper, random, entries);
      System.out.println("1\t" + SYSTEM.getProcessCpuTime() + "\t" + compiled());
      long operations = 0;
      long printed = SYSTEM.getProcessCpuTime();
      while (printed < limit) {
        for (int i = 0; i < STEP; i++) {
          use(keeper, random, entries);
        }
        operations += STEP;
        long now = SYSTEM.getProcessCpuTime();
        if (now - printed >= WINDOW_NANOS) {
          System.out.println(operations + "\t" + now + "\t" + compiled());
          operations = 0;
          printed = now;
        }
      }
    }
  }

  private static long compiled() {
    return COMPILER.getTotalCompilationTime();
  }

  /** One operation. Some keys are used far more often than others. */
  private static void use(Keeper keeper, SplittableRandom random, int entries) {
    double chosen = random.nextDouble();
    int index = (int) (entries * chosen * chosen * chosen);
    if (random.nextInt(100) < PERCENT_WRITES) {
      keeper.put(key(index), value(index));
    } else if (keeper.get(key(index)) == null) {
      throw new IllegalStateException("There is no entry " + index + ".");
    }
  }

  /** Fills a store as an earlier process did. */
  static void fill(Peer peer, Path directory, int entries) {
    try (Keeper keeper = peer.open(directory, entries / 10)) {
      for (int i = 0; i < entries; i++) {
        keeper.put(key(i), value(i));
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(int index) {
    return "key-" + index;
  }

  private static String value(int index) {
    return "value-".repeat(16) + index;
  }
}

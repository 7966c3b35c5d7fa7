package io.rockpool.benchmarks;

import com.github.benmanes.caffeine.jcache.configuration.CaffeineConfiguration;
import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.jcache.RockpoolCachingProvider;
import io.rockpool.jcache.RockpoolConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalLong;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.EntryUnit;
import org.ehcache.config.units.MemoryUnit;
import org.ehcache.core.config.DefaultConfiguration;
import org.ehcache.impl.config.persistence.DefaultPersistenceConfiguration;
import org.ehcache.jsr107.Eh107Configuration;
import org.ehcache.jsr107.EhcacheCachingProvider;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/** Who takes part in {@link JCacheHot}: caches of text with room in memory for all entries. */
public enum JCachePeer {
  /** Rockpool's JSR-107 cache. */
  ROCKPOOL {
    @Override
    Keeper open(Path directory, int room, boolean statistics) {
      CacheManager manager =
          new RockpoolCachingProvider().getCacheManager(URI.create("rockpool:" + directory), null);
      return standard(
          manager,
          RockpoolConfiguration.of(String.class, String.class).hotEntries(room),
          statistics);
    }
  },
  /** The cache below it, which always counts. */
  DIRECT {
    @Override
    Keeper open(Path directory, int room, boolean statistics) {
      Rockpool pool = Rockpool.open(directory);
      PersistentCache<String, String> cache =
          pool.cache(NAME, String.class, String.class, options -> options.hotEntries(room));
      return new Keeper() {
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
      };
    }
  },
  /** Caffeine's adapter: memory alone, by value as all the others. */
  CAFFEINE {
    @Override
    Keeper open(Path directory, int room, boolean statistics) {
      CaffeineConfiguration<String, String> configuration = new CaffeineConfiguration<>();
      configuration.setTypes(String.class, String.class);
      configuration.setMaximumSize(OptionalLong.of(room));
      return standard(new CaffeineCachingProvider().getCacheManager(), configuration, statistics);
    }
  },
  /**
   * Ehcache 3 with a heap and a disk tier. A put goes to the disk tier, which a thread of its own
   * writes, and which is read again only after a clean close.
   */
  EHCACHE {
    @Override
    Keeper open(Path directory, int room, boolean statistics) {
      CacheManager manager =
          new EhcacheCachingProvider()
              .getCacheManager(
                  directory.toUri(),
                  new DefaultConfiguration(
                      JCachePeer.class.getClassLoader(),
                      new DefaultPersistenceConfiguration(directory.toFile())));
      ResourcePoolsBuilder tiers =
          ResourcePoolsBuilder.newResourcePoolsBuilder()
              .heap(room, EntryUnit.ENTRIES)
              .disk(DISK_MIB, MemoryUnit.MB, true);
      return standard(
          manager,
          Eh107Configuration.fromEhcacheCacheConfiguration(
              CacheConfigurationBuilder.newCacheConfigurationBuilder(
                  String.class, String.class, tiers)),
          statistics);
    }
  },
  /** Infinispan with a RocksDB store that each put is written through to; its own interface. */
  INFINISPAN {
    @Override
    Keeper open(Path directory, int room, boolean statistics) {
      GlobalConfigurationBuilder global = new GlobalConfigurationBuilder().nonClusteredDefault();
      global.globalState().enable().persistentLocation(directory.toString());
      DefaultCacheManager manager = new DefaultCacheManager(global.build());
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      configuration.memory().maxCount(room);
      configuration.statistics().enabled(statistics);
      configuration
          .persistence()
          .addStore(RocksDBStoreConfigurationBuilder.class)
          .location("data")
          .expiredLocation("expired");
      org.infinispan.Cache<String, String> cache = manager.createCache(NAME, configuration.build());
      return new Keeper() {
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
          manager.stop();
        }
      };
    }
  };

  private static final String NAME = "hot";

  /** Much more than the entries take, so that no peer has to evict. */
  private static final int DISK_MIB = 1_024;

  /** An open cache. */
  interface Keeper extends AutoCloseable {
    @Nullable Object get(String key);

    void put(String key, String value);

    @Override
    void close();
  }

  /** Opens an empty cache in an empty directory. */
  abstract Keeper open(Path directory, int room, boolean statistics);

  private static Keeper standard(
      CacheManager manager, Configuration<String, String> configuration, boolean statistics) {
    Cache<String, String> cache = manager.createCache(NAME, configuration);
    manager.enableStatistics(NAME, statistics);
    return new Keeper() {
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
        manager.destroyCache(NAME);
        manager.close();
        manager.getCachingProvider().close();
      }
    };
  }
}

package io.rockpool.benchmarks;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.rockpool.Rockpool;
import io.rockpool.codec.Codecs;
import io.rockpool.spring.RockpoolCacheConfiguration;
import io.rockpool.spring.RockpoolCacheManager;
import java.nio.file.Path;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Whose Spring caches take part in {@link SpringHot}. */
public enum SpringPeer {
  /** Rockpool, with room in memory for all entries. */
  ROCKPOOL {
    @Override
    void register(AnnotationConfigApplicationContext context, Path directory, int room) {
      rockpool(context, directory, room);
    }
  },
  /** Rockpool, without any in memory: each hit is read from disk, or from RocksDB's blocks. */
  ROCKPOOL_DISK {
    @Override
    void register(AnnotationConfigApplicationContext context, Path directory, int room) {
      rockpool(context, directory, 0);
    }
  },
  /** Spring's own Caffeine cache: memory alone, which gives all callers the same instance. */
  CAFFEINE {
    @Override
    void register(AnnotationConfigApplicationContext context, Path directory, int room) {
      context.registerBean(
          CacheManager.class,
          () -> {
            CaffeineCacheManager manager = new CaffeineCacheManager();
            manager.setCaffeine(Caffeine.newBuilder().maximumSize(room));
            return manager;
          });
    }
  },
  /** Spring Data Redis with its defaults: JDK serialization, on a server on this machine. */
  REDIS {
    @Override
    boolean isThere() {
      return RedisServer.isInstalled();
    }

    @Override
    void register(AnnotationConfigApplicationContext context, Path directory, int room) {
      context.registerBean(RedisServer.class, () -> new RedisServer(directory));
      context.registerBean(
          LettuceConnectionFactory.class,
          () ->
              new LettuceConnectionFactory("127.0.0.1", context.getBean(RedisServer.class).port()));
      context.registerBean(
          CacheManager.class,
          () -> RedisCacheManager.create(context.getBean(LettuceConnectionFactory.class)));
    }
  };

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Caching {}

  /** Whether this machine has what it needs. */
  boolean isThere() {
    return true;
  }

  /** An application with an empty cache in an empty directory. */
  AnnotationConfigApplicationContext open(Path directory, int room) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(Caching.class, Quotes.class);
    register(context, directory, room);
    context.refresh();
    return context;
  }

  abstract void register(AnnotationConfigApplicationContext context, Path directory, int room);

  private static void rockpool(
      AnnotationConfigApplicationContext context, Path directory, int room) {
    context.registerBean(Rockpool.class, () -> Rockpool.open(directory));
    context.registerBean(
        CacheManager.class,
        () -> {
          Codecs codecs = Codecs.builder().allow(Quotes.Quote.class).build();
          RockpoolCacheManager manager =
              new RockpoolCacheManager(context.getBean(Rockpool.class), codecs);
          manager.setDefaults(RockpoolCacheConfiguration.defaults().hotEntries(room));
          return manager;
        });
  }
}

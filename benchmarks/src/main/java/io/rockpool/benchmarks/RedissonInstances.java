package io.rockpool.benchmarks;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.redisson.Redisson;
import org.redisson.api.RLocalCachedMap;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;
import org.redisson.jcache.JCachingProvider;
import org.redisson.jcache.configuration.RedissonConfiguration;

/** Redisson as several instances have it: a client each, with a local cached map and a JCache. */
final class RedissonInstances implements AutoCloseable {
  private final List<RedissonClient> clients = new ArrayList<>();
  private final List<RLocalCachedMap<String, byte[]>> maps = new ArrayList<>();
  private final List<JCachingProvider> providers = new ArrayList<>();
  private final List<Cache<String, byte[]>> caches = new ArrayList<>();

  RedissonInstances(int port, int count) {
    for (int instance = 0; instance < count; instance++) {
      Config config = new Config();
      config.setCodec(new CompositeCodec(StringCodec.INSTANCE, ByteArrayCodec.INSTANCE));
      config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
      RedissonClient client = Redisson.create(config);
      clients.add(client);
      maps.add(client.getLocalCachedMap(LocalCachedMapOptions.name("local")));
      // Each provider has its own managers, as each process has.
      JCachingProvider provider = new JCachingProvider();
      providers.add(provider);
      CacheManager manager =
          provider.getCacheManager(URI.create("redisson:" + instance), getClass().getClassLoader());
      caches.add(
          manager.createCache(
              "jcache",
              RedissonConfiguration.fromInstance(
                  client, new MutableConfiguration<String, byte[]>().setStoreByValue(true))));
    }
  }

  RLocalCachedMap<String, byte[]> map(int instance) {
    return maps.get(instance);
  }

  Cache<String, byte[]> cache(int instance) {
    return caches.get(instance);
  }

  @Override
  public void close() {
    providers.forEach(JCachingProvider::close);
    clients.forEach(RedissonClient::shutdown);
  }
}

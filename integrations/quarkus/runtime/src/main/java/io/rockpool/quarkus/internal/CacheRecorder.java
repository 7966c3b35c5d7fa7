package io.rockpool.quarkus.internal;

import io.quarkus.arc.Arc;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheManager;
import io.quarkus.cache.CacheManagerInfo;
import io.quarkus.cache.CacheManagerInfo.Context;
import io.quarkus.cache.runtime.CacheManagerImpl;
import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Opens the caches that Quarkus found in annotations. */
@Recorder
public class CacheRecorder {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);

  private final RuntimeValue<StoreConfig> config;

  public CacheRecorder(RuntimeValue<StoreConfig> config) {
    this.config = config;
  }

  /**
   * The caches of the type {@code rockpool}.
   *
   * @param types the names of the classes of their values
   */
  public CacheManagerInfo caches(Map<String, List<String>> types) {
    return new CacheManagerInfo() {
      @Override
      public boolean supports(Context context) {
        return context.cacheEnabled() && context.cacheType().equals("rockpool");
      }

      @Override
      public Supplier<CacheManager> get(Context context) {
        return () -> new CacheManagerImpl(open(context, types));
      }
    };
  }

  private Map<String, Cache> open(Context context, Map<String, List<String>> types) {
    Rockpool pool = Arc.container().select(Rockpool.class).get();
    Map<String, Cache> caches = new HashMap<>();
    for (String name : context.cacheNames()) {
      PersistentCache<Object, Object> cache =
          pool.cache(name, ANY, ANY, options -> options(name, options));
      caches.put(name, new RockpoolBackend(cache, classes(types.getOrDefault(name, List.of()))));
      if (context.metrics() == Context.Metrics.MICROMETER) {
        CacheMeters.bind(cache);
      }
    }
    return caches;
  }

  private static List<Class<?>> classes(List<String> names) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      try {
        classes.add(Class.forName(name, false, loader));
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException("A cached method returns a class that is not there.", e);
      }
    }
    return classes;
  }

  private CacheOptions<Object, Object> options(String name, CacheOptions<Object, Object> options) {
    CacheConfig cache = config.getValue().caches().get(name);
    return cache == null ? options : cache.applyTo(options);
  }
}

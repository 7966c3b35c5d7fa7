package io.rockpool.quarkus.internal;

import io.quarkus.arc.DefaultBean;
import io.quarkus.cache.CacheManager;
import io.quarkus.runtime.StartupEvent;
import io.rockpool.Rockpool;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The store of the configuration, unless the application has a bean of this type. */
@Singleton
public class StoreProducer {
  @Produces
  @Singleton
  @DefaultBean
  Rockpool rockpool(StoreConfig config) {
    return config.open();
  }

  void close(@Disposes Rockpool pool) {
    pool.close();
  }

  /** Opens the store of the caches now: later, an event loop would wait for it. */
  void open(@Observes StartupEvent started, CacheManager caches) {
    caches.getCacheNames();
  }
}

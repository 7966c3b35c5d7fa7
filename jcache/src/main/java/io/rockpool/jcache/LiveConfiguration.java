package io.rockpool.jcache;

import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;

/** A cache's own copy of its configuration; what can change at run time changes here. */
final class LiveConfiguration<K, V> {
  private final MutableConfiguration<K, V> configuration;

  /** A copy, so that what the application does to its own afterwards means nothing here. */
  LiveConfiguration(Configuration<K, V> given) {
    if (given instanceof CompleteConfiguration<K, V> complete) {
      this.configuration = new MutableConfiguration<>(complete);
    } else {
      this.configuration = new MutableConfiguration<>();
      configuration.setTypes(given.getKeyType(), given.getValueType());
      configuration.setStoreByValue(given.isStoreByValue());
    }
  }

  synchronized MutableConfiguration<K, V> copy() {
    return new MutableConfiguration<>(configuration);
  }

  synchronized void statistics(boolean on) {
    configuration.setStatisticsEnabled(on);
  }

  synchronized void management(boolean on) {
    configuration.setManagementEnabled(on);
  }

  /** Adds a listener; one that is there already is refused, as the specification wants it. */
  synchronized void addListener(CacheEntryListenerConfiguration<K, V> listener) {
    configuration.addCacheEntryListenerConfiguration(listener);
  }

  synchronized void removeListener(CacheEntryListenerConfiguration<K, V> listener) {
    configuration.removeCacheEntryListenerConfiguration(listener);
  }
}

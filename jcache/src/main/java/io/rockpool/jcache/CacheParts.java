package io.rockpool.jcache;

import java.net.URI;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a cache is made of beside its entries: what its configuration's factories have made, and its
 * beans. Owns all of it, and closes it once.
 */
final class CacheParts<K, V> {
  private final LiveConfiguration<K, V> configuration;
  private final DeclaredTypes<K, V> types;
  private final PolicyExpiry expiry;
  private final Copies<K, V> copies;
  private final RunningProcessors<K> processors;
  private final OwnedResources closing;
  private final EntryListeners<K, V> listeners;
  private final StatisticsBean statistics;
  private final ManagementBean statisticsBean;
  private final ManagementBean configurationBean;
  private final @Nullable Loading<K, V> loading;
  private final @Nullable WriterCalls<K, V> writing;
  private final @Nullable BehindCalls<K, V> behind;
  private final boolean readThrough;

  /** The parts of {@code cache}; {@code closing} already has the expiry policy. */
  CacheParts(
      RockpoolJCache<K, V> cache,
      URI manager,
      LiveConfiguration<K, V> live,
      PolicyExpiry expiry,
      Copies<K, V> copies,
      boolean writesBehind,
      OwnedResources closing) {
    CompleteConfiguration<K, V> given = live.copy();
    this.configuration = live;
    this.types = new DeclaredTypes<>(given.getKeyType(), given.getValueType());
    this.expiry = expiry;
    this.copies = copies;
    this.processors = new RunningProcessors<>(copies.keys());
    this.closing = closing;
    this.statistics =
        new StatisticsBean(() -> cache.kernel().statistics(), () -> cache.kernel().hotMemory());
    Factory<CacheLoader<K, V>> loaders = given.getCacheLoaderFactory();
    this.loading = loaders == null ? null : new Loading<>(closing.add(loaders.create()), copies);
    this.readThrough = given.isReadThrough();
    Factory<CacheWriter<? super K, ? super V>> writers = given.getCacheWriterFactory();
    CacheWriter<? super K, ? super V> writer =
        writers == null ? null : closing.add(writers.create());
    if (writesBehind && writer == null) {
      throw new CacheException(
          "Cache \""
              + cache.getName()
              + "\" is configured to write behind and has no writer; set RockpoolConfiguration.writer.");
    }
    boolean writes = given.isWriteThrough();
    this.behind = writer != null && writes && writesBehind ? new BehindCalls<>(writer) : null;
    this.writing =
        writer != null && writes && !writesBehind ? new WriterCalls<>(writer, copies) : null;
    this.listeners = new EntryListeners<>(cache, copies, closing, statistics::eventDropped);
    given.getCacheEntryListenerConfigurations().forEach(listeners::register);
    this.statisticsBean =
        closing.add(new ManagementBean(statistics, "CacheStatistics", manager, cache.getName()));
    this.configurationBean =
        closing.add(
            new ManagementBean(
                new ConfigurationBean(live::copy), "CacheConfiguration", manager, cache.getName()));
    enableStatistics(given.isStatisticsEnabled());
    enableManagement(given.isManagementEnabled());
  }

  /** Makes the policy of a configuration, for {@code closing} to close. */
  static ExpiryPolicy policy(CompleteConfiguration<?, ?> configuration, OwnedResources closing) {
    return closing.add(configuration.getExpiryPolicyFactory().create());
  }

  LiveConfiguration<K, V> configuration() {
    return configuration;
  }

  DeclaredTypes<K, V> types() {
    return types;
  }

  PolicyExpiry expiry() {
    return expiry;
  }

  Copies<K, V> copies() {
    return copies;
  }

  RunningProcessors<K> processors() {
    return processors;
  }

  EntryListeners<K, V> listeners() {
    return listeners;
  }

  StatisticsBean statistics() {
    return statistics;
  }

  /** The loader, whether reads go through it or not. */
  @Nullable Loading<K, V> loading() {
    return loading;
  }

  /** The loader that reads go through, if they do. */
  @Nullable Loading<K, V> readThrough() {
    return readThrough ? loading : null;
  }

  /** The writer that writes go through, if they do. */
  @Nullable WriterCalls<K, V> writing() {
    return writing;
  }

  /** The writer that is called later, if there is one. */
  @Nullable BehindCalls<K, V> behind() {
    return behind;
  }

  void enableStatistics(boolean on) {
    configuration.statistics(on);
    statistics.enable(on);
    statisticsBean.enable(on);
  }

  void enableManagement(boolean on) {
    configuration.management(on);
    configurationBean.enable(on);
  }

  /** Ends what consoles see of the cache. */
  void hide() {
    closing.close(statisticsBean);
    closing.close(configurationBean);
  }

  /** Closes everything; what throws is logged. */
  void close() {
    listeners.close();
    closing.closeAll();
  }
}

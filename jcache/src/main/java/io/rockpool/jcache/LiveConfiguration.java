package io.rockpool.jcache;

import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.jcache.internal.config.StoredConfiguration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;

/** A cache's own copy of its configuration; what can change at run time changes here. */
final class LiveConfiguration<K, V> {
  private final MutableConfiguration<K, V> standard;
  private final OptionValues options;
  private Consumer<UnaryOperator<Map<String, String>>> onSwitch = changed -> {};

  /** A copy, so that what the application does to its own afterwards means nothing here. */
  LiveConfiguration(RockpoolConfiguration<K, V> given) {
    this.standard = given.standard();
    this.options = given.values();
  }

  synchronized MutableConfiguration<K, V> copy() {
    return new MutableConfiguration<>(standard);
  }

  /** The configuration in the form that was asked for. */
  <C> C as(Class<C> type) {
    MutableConfiguration<K, V> copy = copy();
    return Unwrapping.of(copy, type, RockpoolConfiguration.of(copy, options));
  }

  /** Whether values that cannot be encoded are skipped. */
  boolean skips() {
    return options.get(CacheSettings.ON_UNENCODABLE) == OnUnencodable.SKIP;
  }

  /**
   * From now on, when statistics or management are switched, gives {@code listener} what that
   * changes in the stored configuration.
   */
  synchronized void onSwitch(Consumer<UnaryOperator<Map<String, String>>> listener) {
    onSwitch = listener;
  }

  synchronized void statistics(boolean on) {
    standard.setStatisticsEnabled(on);
    onSwitch.accept(text -> StoredConfiguration.withStatistics(text, on));
  }

  synchronized void management(boolean on) {
    standard.setManagementEnabled(on);
    onSwitch.accept(text -> StoredConfiguration.withManagement(text, on));
  }

  /** Adds a listener; one that is there already is refused, as the specification wants it. */
  synchronized void addListener(CacheEntryListenerConfiguration<K, V> listener) {
    standard.addCacheEntryListenerConfiguration(listener);
  }

  synchronized void removeListener(CacheEntryListenerConfiguration<K, V> listener) {
    standard.removeCacheEntryListenerConfiguration(listener);
  }
}

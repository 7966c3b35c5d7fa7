package io.rockpool.jcache;

import com.typesafe.config.Config;
import io.rockpool.cache.CacheOptions.OnUnencodable;
import io.rockpool.codec.Codec;
import io.rockpool.store.Durability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import javax.cache.CacheException;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListener;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration file says of one cache, or of those it does not name. Everything but the
 * classes is read, and so checked, when this is made.
 */
final class CacheSection {
  static final Set<String> KEYS =
      Set.of(
          "key-type",
          "value-type",
          "store-by-value",
          "read-through",
          "loader-factory",
          "write-through",
          "writer-factory",
          "statistics",
          "management",
          "expiry",
          "entry-ttl",
          "hot-entries",
          "hot-bytes",
          "durability",
          "key-codec",
          "value-codec",
          "disk-budget",
          "maximum-size",
          "soft-ttl",
          "refresh-ahead",
          "jitter",
          "warm-restart",
          "on-unencodable",
          "listeners");
  static final Set<String> EXPIRY_KEYS = Set.of("creation", "update", "access");
  static final Set<String> LISTENER_KEYS =
      Set.of("listener-factory", "filter-factory", "old-value-required", "synchronous");
  private static final Set<String> CLASS_KEYS =
      Set.of(
          "key-type",
          "value-type",
          "loader-factory",
          "writer-factory",
          "entry-ttl",
          "key-codec",
          "value-codec");
  private static final String ETERNAL = "eternal";

  private final Section section;
  private final CacheTuning<Object, Object> numbers;
  private final @Nullable Boolean byValue;
  private final @Nullable Boolean readThrough;
  private final @Nullable Boolean writeThrough;
  private final @Nullable Boolean statistics;
  private final @Nullable Boolean management;
  private final @Nullable FixedExpiryPolicy expiry;
  private final List<Section> listeners;

  private CacheSection(Section section) {
    this.section = section;
    CLASS_KEYS.forEach(section::className);
    this.numbers = numbers(section);
    this.byValue = section.flag("store-by-value");
    this.readThrough = section.flag("read-through");
    this.writeThrough = section.flag("write-through");
    this.statistics = section.flag("statistics");
    this.management = section.flag("management");
    this.expiry = expiry(section);
    this.listeners = section.sections("listeners", "a listener", LISTENER_KEYS);
    for (Section listener : listeners) {
      listener.className("filter-factory");
      listener.flag("old-value-required");
      listener.flag("synchronous");
      if (listener.className("listener-factory") == null) {
        throw section.error("listeners", "say its listener-factory of each.", null);
      }
    }
  }

  /** The section of {@code what}. */
  static CacheSection of(String what, Config config) {
    return new CacheSection(new Section(what, config, KEYS));
  }

  /** The section of a cache, which says by {@code template} what it does not say itself. */
  static CacheSection of(String what, Config config, Config template) {
    Section own = new Section(what, config, KEYS);
    Config others = template;
    if (own.has("hot-entries")) {
      others = others.withoutPath("hot-bytes");
    } else if (own.has("hot-bytes")) {
      others = others.withoutPath("hot-entries");
    }
    CacheSection all = new CacheSection(new Section(what, own.orElse(others), KEYS));
    all.requireFactory("read-through", all.readThrough, "loader-factory");
    all.requireFactory("write-through", all.writeThrough, "writer-factory");
    return all;
  }

  private void requireFactory(String through, @Nullable Boolean is, String factory) {
    if (is != null && is && !section.has(factory)) {
      throw section.error(through, "say " + factory + ", too.", null);
    }
  }

  private static CacheTuning<Object, Object> numbers(Section section) {
    Long hotEntries = section.count("hot-entries");
    Long hotBytes = section.bytes("hot-bytes");
    if (hotEntries != null && hotBytes != null) {
      throw section.error("hot-bytes", "leave out either this or hot-entries.", null);
    }
    Long diskBudget = section.bytes("disk-budget");
    if (diskBudget != null && diskBudget == 0) {
      throw section.error("disk-budget", "give more.", null);
    }
    Long maximumSize = section.count("maximum-size");
    if (maximumSize != null && maximumSize == 0) {
      throw section.error("maximum-size", "give more.", null);
    }
    Duration softTtl = section.duration("soft-ttl");
    if (softTtl != null && softTtl.isZero()) {
      throw section.error("soft-ttl", "give more.", null);
    }
    Freshness freshness =
        new Freshness(
            softTtl,
            section.fraction("refresh-ahead"),
            section.fraction("jitter"),
            section.flag("warm-restart"));
    Durability durability = section.choice("durability", Durability.class);
    OnUnencodable onUnencodable = section.choice("on-unencodable", OnUnencodable.class);
    return new CacheTuning<>(
        hotEntries,
        hotBytes,
        durability,
        onUnencodable,
        null,
        null,
        null,
        diskBudget,
        maximumSize,
        freshness);
  }

  private static @Nullable FixedExpiryPolicy expiry(Section section) {
    Section expiry = section.section("expiry", "expiry", EXPIRY_KEYS);
    if (expiry == null) {
      return null;
    }
    javax.cache.expiry.Duration creation = duration(expiry, "creation");
    return new FixedExpiryPolicy(
        creation == null ? javax.cache.expiry.Duration.ETERNAL : creation,
        duration(expiry, "update"),
        duration(expiry, "access"));
  }

  private static javax.cache.expiry.@Nullable Duration duration(Section expiry, String key) {
    if (expiry.has(key) && ETERNAL.equalsIgnoreCase(expiry.text(key))) {
      return javax.cache.expiry.Duration.ETERNAL;
    }
    Duration duration;
    try {
      duration = expiry.duration(key);
    } catch (CacheException e) {
      throw expiry.error(key, "give a duration, such as 30s or 10 minutes, or eternal.", e);
    }
    return duration == null
        ? null
        : new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, millis(duration));
  }

  /** Rounded up: what is to live shortly is not to be dead at once. */
  private static long millis(Duration duration) {
    Duration rest = Duration.ofNanos(TimeUnit.MILLISECONDS.toNanos(1) - 1);
    return duration.plus(rest).toMillis();
  }

  /** What is said that the specification knows nothing of. */
  @SuppressWarnings("unchecked") // the file's claim
  <K, V> CacheTuning<K, V> tuning(ClassLoader loader) {
    CacheTuning<K, V> made =
        new CacheTuning<>(
            null,
            null,
            null,
            null,
            (Codec<K>) made("key-codec", Codec.class, loader),
            (Codec<V>) made("value-codec", Codec.class, loader),
            (BiFunction<K, V, @Nullable Duration>) made("entry-ttl", BiFunction.class, loader),
            null,
            null,
            Freshness.UNSAID);
    return made.orElse((CacheTuning<K, V>) numbers);
  }

  private <T> @Nullable T made(String key, Class<T> kind, ClassLoader loader) {
    NamedClass named = section.className(key);
    return named == null ? null : named.factory(loader, kind).create();
  }

  /** Whether this keeps no entries in memory. */
  boolean isCold() {
    return numbers.isCold();
  }

  /**
   * The configuration. Statistics and management, where nothing is said of them, are as {@code
   * stored} has them, the text beside the cache.
   */
  @SuppressWarnings("unchecked") // the file's claim
  RockpoolConfiguration<Object, Object> configuration(
      ClassLoader loader, Map<String, String> stored) {
    MutableConfiguration<Object, Object> standard = new MutableConfiguration<>();
    standard.setTypes(type("key-type", loader), type("value-type", loader));
    standard.setStoreByValue(byValue == null || byValue);
    standard.setReadThrough(readThrough != null && readThrough);
    standard.setWriteThrough(writeThrough != null && writeThrough);
    standard.setStatisticsEnabled(
        statistics == null ? StoredConfiguration.hasStatistics(stored) : statistics);
    standard.setManagementEnabled(
        management == null ? StoredConfiguration.hasManagement(stored) : management);
    if (expiry != null) {
      standard.setExpiryPolicyFactory(expiry.factory());
    }
    NamedClass loaders = section.className("loader-factory");
    if (loaders != null) {
      standard.setCacheLoaderFactory(
          (Factory<CacheLoader<Object, Object>>)
              (Factory<?>) loaders.factory(loader, CacheLoader.class));
    }
    NamedClass writers = section.className("writer-factory");
    if (writers != null) {
      standard.setCacheWriterFactory(
          (Factory<CacheWriter<Object, Object>>)
              (Factory<?>) writers.factory(loader, CacheWriter.class));
    }
    listeners.forEach(it -> standard.addCacheEntryListenerConfiguration(listener(it, loader)));
    return RockpoolConfiguration.of(standard, tuning(loader));
  }

  @SuppressWarnings("unchecked") // whatever the class, its instances are objects
  private Class<Object> type(String key, ClassLoader loader) {
    NamedClass named = section.className(key);
    return named == null ? Object.class : (Class<Object>) named.load(loader);
  }

  @SuppressWarnings("unchecked") // the file's claim
  private static MutableCacheEntryListenerConfiguration<Object, Object> listener(
      Section listener, ClassLoader loader) {
    NamedClass listeners = Objects.requireNonNull(listener.className("listener-factory"));
    NamedClass filters = listener.className("filter-factory");
    return new MutableCacheEntryListenerConfiguration<>(
        (Factory<CacheEntryListener<Object, Object>>)
            (Factory<?>) listeners.factory(loader, CacheEntryListener.class),
        filters == null
            ? null
            : (Factory<CacheEntryEventFilter<Object, Object>>)
                (Factory<?>) filters.factory(loader, CacheEntryEventFilter.class),
        Boolean.TRUE.equals(listener.flag("old-value-required")),
        Boolean.TRUE.equals(listener.flag("synchronous")));
  }
}

package io.rockpool.jcache.internal.config;

import com.typesafe.config.Config;
import io.rockpool.cache.CacheOption;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.CacheSettings;
import io.rockpool.cache.OptionValues;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.codec.Codec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
public final class CacheSection {
  private static final Set<String> STANDARD_KEYS =
      Set.of(
          "key-type",
          "value-type",
          "store-by-value",
          "read-through",
          "loader-factory",
          "write-through",
          "writer-factory",
          "write-behind",
          "statistics",
          "management",
          "expiry",
          "entry-ttl",
          "tags",
          "key-codec",
          "value-codec",
          "listeners");
  public static final Set<String> KEYS =
      Stream.concat(STANDARD_KEYS.stream(), CacheSettings.OPTIONS.stream().map(CacheOption::key))
          .collect(Collectors.toUnmodifiableSet());
  public static final Set<String> EXPIRY_KEYS = Set.of("creation", "update", "access");
  public static final Set<String> LISTENER_KEYS =
      Set.of("listener-factory", "filter-factory", "old-value-required", "synchronous");
  public static final Set<String> WRITE_BEHIND_KEYS =
      WriteBehindOptions.OPTIONS.stream()
          .map(CacheOption::key)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> CLASS_KEYS =
      Set.of(
          "key-type",
          "value-type",
          "loader-factory",
          "writer-factory",
          "entry-ttl",
          "tags",
          "key-codec",
          "value-codec");
  private static final String ETERNAL = "eternal";

  private final Section section;
  private final OptionValues options;
  private final @Nullable Boolean byValue;
  private final @Nullable Boolean readThrough;
  private final @Nullable Boolean writeThrough;
  private final @Nullable Boolean statistics;
  private final @Nullable Boolean management;
  private final @Nullable FixedExpiryPolicy expiry;
  private final @Nullable WriteBehindOptions writeBehind;
  private final List<Section> listeners;

  private CacheSection(Section section) {
    this.section = section;
    CLASS_KEYS.forEach(section::className);
    this.options = options(section, CacheSettings.OPTIONS);
    this.byValue = section.flag("store-by-value");
    this.readThrough = section.flag("read-through");
    this.writeThrough = section.flag("write-through");
    this.statistics = section.flag("statistics");
    this.management = section.flag("management");
    this.expiry = expiry(section);
    this.writeBehind = writeBehind(section);
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
  public static CacheSection of(String what, Config config) {
    return new CacheSection(new Section(what, config, KEYS));
  }

  /** The section of a cache, which says by {@code template} what it does not say itself. */
  public static CacheSection of(String what, Config config, Config template) {
    Section own = new Section(what, config, KEYS);
    CacheSection all = new CacheSection(new Section(what, own.orElse(template), KEYS));
    all.requireFactory("read-through", all.readThrough, "loader-factory");
    all.requireFactory("write-through", all.writeThrough, "writer-factory");
    all.requireFactory("write-behind", all.writeBehind != null, "writer-factory");
    return all;
  }

  private void requireFactory(String through, @Nullable Boolean is, String factory) {
    if (is != null && is && !section.has(factory)) {
      throw section.error(through, "say " + factory + ", too.", null);
    }
  }

  private static @Nullable WriteBehindOptions writeBehind(Section section) {
    Section behind = section.section("write-behind", "write-behind", WRITE_BEHIND_KEYS);
    return behind == null
        ? null
        : WriteBehindOptions.of(options(behind, WriteBehindOptions.OPTIONS));
  }

  private static OptionValues options(Section section, List<CacheOption<?>> all) {
    OptionValues options = OptionValues.NONE;
    for (CacheOption<?> option : all) {
      options = with(options, option, section);
    }
    return options;
  }

  private static <T> OptionValues with(
      OptionValues options, CacheOption<T> option, Section section) {
    T value = section.value(option);
    return value == null ? options : options.with(option, value);
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
    boolean even = duration.toNanosPart() % TimeUnit.MILLISECONDS.toNanos(1) == 0;
    long millis = TimeUnit.MILLISECONDS.convert(duration);
    return even || millis == Long.MAX_VALUE ? millis : millis + 1;
  }

  /**
   * The options that the specification does not have.
   *
   * @throws CacheException if the loader does not have a class, or the class is not of the kind
   */
  public OptionValues options(ClassLoader loader) {
    OptionValues all = with(options, CodeOptions.WRITE_BEHIND, writeBehind);
    all = with(all, CodeOptions.KEY_CODEC, make("key-codec", Codec.class, loader));
    all = with(all, CodeOptions.VALUE_CODEC, make("value-codec", Codec.class, loader));
    all = with(all, CodeOptions.TAGS, make("tags", BiFunction.class, loader));
    return with(all, CodeOptions.ENTRY_TTL, make("entry-ttl", BiFunction.class, loader));
  }

  private static OptionValues with(
      OptionValues options, CacheOption<Object> option, @Nullable Object value) {
    return value == null ? options : options.with(option, value);
  }

  private <T> @Nullable T make(String key, Class<T> kind, ClassLoader loader) {
    NamedClass named = section.className(key);
    return named == null ? null : named.factory(loader, kind).create();
  }

  /** Whether this keeps no entries in memory. */
  public boolean isCold() {
    return CacheOptions.defaults().setAll(options).isCold();
  }

  /**
   * The configuration. If statistics and management are not set here, they are as in {@code
   * stored}, the text stored with the cache.
   */
  @SuppressWarnings("unchecked") // the file's claim
  public ReadConfiguration configuration(ClassLoader loader, Map<String, String> stored) {
    MutableConfiguration<Object, Object> standard = new MutableConfiguration<>();
    standard.setTypes(type("key-type", loader), type("value-type", loader));
    standard.setStoreByValue(byValue == null || byValue);
    standard.setReadThrough(readThrough != null && readThrough);
    standard.setWriteThrough(writeBehind != null || (writeThrough != null && writeThrough));
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
    return new ReadConfiguration(standard, options(loader));
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

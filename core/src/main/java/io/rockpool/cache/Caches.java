package io.rockpool.cache;

import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Identity;
import io.rockpool.internal.catalog.NameHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open caches of one store. A name that is opened again is the same cache: two hot tiers over
 * one space would have to tell each other of every write, which is done only where the same classes
 * come from different loaders. The lock is the catalog's.
 */
public final class Caches implements NameHolder {
  /** The type under which the catalog knows caches. */
  public static final String TYPE = "cache";

  private final Engine engine;
  private final Catalog catalog;
  private final Codecs codecs;
  private final Map<String, SharedSpace> spaces = new ConcurrentHashMap<>();
  private final List<OpenCache> open = new ArrayList<>();
  private final WarmRestarts warmRestarts = new WarmRestarts(WarmRestarts.PERIOD);
  private final ExpiryScans expiryScans;

  private record OpenCache(
      PersistentCache<?, ?> cache,
      Types types,
      CacheOptions<?, ?> options,
      EntryFormat<?, ?> format,
      boolean own) {}

  private record Types(
      String name, TypeRef<?> keyType, TypeRef<?> valueType, @Nullable ClassLoader loader) {
    boolean matches(Types other, boolean anyLoader) {
      return name.equals(other.name)
          && keyType.equals(other.keyType)
          && valueType.equals(other.valueType)
          && (anyLoader || loader == other.loader);
    }
  }

  /** The caches of a store, none open yet. */
  public Caches(Engine engine, Catalog catalog, Codecs codecs) {
    this(engine, catalog, codecs, new ExpiryScans(ExpiryScans.PERIOD));
  }

  Caches(Engine engine, Catalog catalog, Codecs codecs, ExpiryScans expiryScans) {
    this.expiryScans = expiryScans;
    this.engine = engine;
    this.catalog = catalog;
    this.codecs = codecs;
    catalog.register(this);
    engine.evictBy(new CacheEvictor(catalog, spaces));
  }

  /**
   * Opens a cache, or creates it. One that is already open is returned as it is.
   *
   * @param options null for those it is open with, or else the defaults
   * @throws IllegalStateException if it is open with other options
   * @throws io.rockpool.error.NameConflictException if the name holds something else
   */
  public <K, V> PersistentCache<K, V> open(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, @Nullable CacheOptions<K, V> options) {
    SpaceName.check(name);
    ClassLoader loader = options == null ? null : options.classLoader();
    Types types = new Types(name, keyType, valueType, loader);
    synchronized (catalog) {
      for (OpenCache there : open) {
        if (there.types.matches(types, options == null) && (options == null || !there.own)) {
          if (options != null && !options.equals(there.options)) {
            throw new IllegalStateException(
                "The cache \""
                    + name
                    + "\" is already open with other options; open it with the same, or with none.");
          }
          @SuppressWarnings("unchecked") // the types are equal
          PersistentCache<K, V> cache = (PersistentCache<K, V>) there.cache;
          return cache;
        }
      }
      return create(
          types, keyType, valueType, options == null ? CacheOptions.defaults() : options, false);
    }
  }

  /**
   * Opens a cache that is its caller's own, or creates it: one beside those that are open under the
   * name, with options and a hot tier for itself, until {@link #close(PersistentCache)}.
   *
   * @throws io.rockpool.error.NameConflictException if the name holds something else
   */
  public <K, V> PersistentCache<K, V> openOwn(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options) {
    SpaceName.check(name);
    Types types = new Types(name, keyType, valueType, options.classLoader());
    synchronized (catalog) {
      return create(types, keyType, valueType, options, true);
    }
  }

  private <K, V> PersistentCache<K, V> create(
      Types types,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      CacheOptions<K, V> options,
      boolean own) {
    Codecs mine =
        options.classLoader() == null ? codecs : codecs.withClassLoader(options.classLoader());
    Codec<K> keys = Objects.requireNonNullElseGet(options.keyCodec(), () -> mine.keyCodec(keyType));
    Codec<V> values =
        Objects.requireNonNullElseGet(options.valueCodec(), () -> mine.valueCodec(valueType));
    Identity identity =
        new Identity(TYPE, keyType.toString(), keys.id(), valueType.toString(), values.id());
    boolean reset = options.onConflict() == CacheOptions.OnConflict.RESET;
    Space space = catalog.open(types.name(), identity, Layout.ENTRIES, options.attributes(), reset);
    SharedSpace shared = spaces.computeIfAbsent(types.name(), name -> new SharedSpace(space));
    EntryFormat<K, V> format = new EntryFormat<>(keys, values, options, engine.clock());
    CacheEntries<K, V> entries = new CacheEntries<>(shared, engine, format, options, expiryScans);
    HotTier tier = options.warmRestart() ? entries.hotTier() : null;
    WarmRestart<K, V> warmRestart =
        tier == null ? null : new WarmRestart<>(entries, tier, new HotKeys(catalog, types.name()));
    PersistentCache<K, V> cache = new PersistentCache<>(entries, options, warmRestart);
    open.add(new OpenCache(cache, types, options, format, own));
    if (warmRestart != null) {
      warmRestarts.add(warmRestart);
    }
    return cache;
  }

  /**
   * Begins to check the records of a cache, which need not be open.
   *
   * @param decode whether its entries are decoded too, if it is open
   */
  public RecordCheck check(String name, boolean decode) {
    EntryFormat<?, ?> format = null;
    if (decode) {
      synchronized (catalog) {
        for (OpenCache there : open) {
          format = there.types.name().equals(name) ? there.format : format;
        }
      }
    }
    return new EntryCheck(format);
  }

  /** How many bytes of disk a cache may take, if it is open and that is bounded. */
  public OptionalLong diskBudgetBytes(String name) {
    SharedSpace shared = spaces.get(name);
    long bytes = shared == null ? 0 : shared.diskBudgetBytes();
    return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /** Tells of all entries that have expired, where somebody wants to be told of them. */
  public void tellOfExpired() {
    expiryScans.scanNow();
  }

  @Override
  public void lose(Predicate<String> names, String why) {
    open.removeIf(
        there -> {
          String name = there.types.name();
          boolean lost = names.test(name);
          if (lost) {
            there.cache.close("The cache \"" + name + "\" " + why);
            expiryScans.remove(there.cache.entries.ended);
            if (there.cache.warmRestart != null) {
              warmRestarts.forget(there.cache.warmRestart);
            }
          }
          return lost;
        });
    spaces.keySet().removeIf(names);
  }

  /**
   * Replaces what is kept beside the name of a cache.
   *
   * @throws IllegalStateException if the cache is closed
   */
  public synchronized void keep(PersistentCache<?, ?> cache, Map<String, String> attributes) {
    cache.ensureOpen();
    catalog.keep(cache.name(), attributes);
  }

  /**
   * Writes back what a cache holds in memory alone, and lets every use of it throw from now on. Its
   * entries stay, and so do other caches of its name. Does nothing if the cache is not open here.
   */
  public void close(PersistentCache<?, ?> cache) {
    synchronized (catalog) {
      if (open.removeIf(there -> there.cache == cache)) {
        cache.close("The cache \"" + cache.name() + "\" is closed; open it again.");
        expiryScans.remove(cache.entries.ended);
        try {
          cache.entries.writeBackDeadlines();
        } finally {
          try {
            if (cache.warmRestart != null) {
              warmRestarts.remove(cache.warmRestart);
            }
          } finally {
            cache.entries.detach();
          }
        }
      }
    }
  }

  /**
   * Writes back what the caches hold in memory alone, and lets every use of them throw from now on.
   */
  public void close() {
    synchronized (catalog) {
      open.forEach(
          there ->
              there.cache.close(
                  "The cache \"" + there.types.name() + "\" is closed: its store is."));
      open.forEach(there -> there.cache.entries.writeBackDeadlines());
      warmRestarts.close();
      expiryScans.close();
      open.clear();
      spaces.clear();
    }
  }
}

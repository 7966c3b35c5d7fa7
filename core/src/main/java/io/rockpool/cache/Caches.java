package io.rockpool.cache;

import io.rockpool.change.ChangeOptions;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.KeyCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceName;
import io.rockpool.internal.access.StoreCaches;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.catalog.NameHolder;
import io.rockpool.internal.catalog.OpenByName;
import io.rockpool.internal.change.LoggedSpace;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.internal.logging.LoggerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open caches of one store. Opening a name again returns the same cache, because two hot tiers
 * over one space would have to notify each other of every write. They do so only if several class
 * loaders open the name. The maps change under the catalog's lock; reads take no lock.
 */
final class Caches implements NameHolder, StoreCaches {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.CACHE);

  private final Engine engine;
  private final Catalog catalog;
  private final Codecs codecs;
  private final Map<String, SharedSpace> spaces = new ConcurrentHashMap<>();
  private final ClosedSpaces closedSpaces = new ClosedSpaces();
  private final OpenByName<OpenCache> open = new OpenByName<>();
  private final WarmRestarts warmRestarts;
  private final ExpiryScans expiryScans;
  private final SharedHeap heap;

  private record OpenCache(
      PersistentCache<?, ?> cache,
      CachePlan.Types types,
      CacheOptions<?, ?> options,
      CacheEntryFormat<?, ?> format,
      boolean own) {}

  /** Starts with no open cache; the caches share the heap budget of the process. */
  Caches(Engine engine, Catalog catalog, Codecs codecs) {
    this(engine, catalog, codecs, HeapBudget.ofProcess());
  }

  /** Starts with no open cache; the caches share this heap budget. */
  Caches(Engine engine, Catalog catalog, Codecs codecs, HeapBudget heap) {
    this(
        engine,
        catalog,
        codecs,
        new ExpiryScans(ExpiryScans.PERIOD, EngineUpkeep.of(engine).upkeep()),
        heap);
  }

  Caches(Engine engine, Catalog catalog, Codecs codecs, ExpiryScans expiryScans, HeapBudget heap) {
    EngineUpkeep upkeep = EngineUpkeep.of(engine);
    this.heap = new SharedHeap(heap, upkeep.upkeep());
    this.expiryScans = expiryScans;
    this.engine = engine;
    this.warmRestarts = new WarmRestarts(WarmRestarts.PERIOD, upkeep.upkeep());
    this.catalog = catalog;
    this.codecs = codecs;
    catalog.register(this);
    upkeep.evictBy(new CacheEvictor(engine, catalog, spaces));
    upkeep.whenReclaiming(this::sweeps);
    upkeep.keepRecordsIn(this.heap);
  }

  private <K> KeyDirectory<K> directory(String name, KeyCodec<K> keys, SharedSpace shared) {
    if (engine.capabilities().contains(Capability.COLLECTIONS)) {
      Space hidden = catalog.hotKeys(name, true);
      return new RowDirectory<>(keys, hidden == null ? null : shared.directory(hidden));
    }
    return new EntryDirectory<>(
        keys, shared.directoryEntries(create -> catalog.keyDirectory(name, create)));
  }

  /** The sweeps of the key directories of open caches. */
  private List<BooleanSupplier> sweeps() {
    List<BooleanSupplier> sweeps = new ArrayList<>();
    spaces.values().forEach(space -> sweeps.addAll(space.sweeps()));
    return sweeps;
  }

  @Override
  public <K, V> PersistentCache<K, V> open(
      String name,
      TypeRef<K> keyType,
      TypeRef<V> valueType,
      @Nullable CacheOptions<K, V> said,
      @Nullable ClassLoader loader) {
    SpaceName.check(name);
    CacheOptions<K, V> options = withLoader(said, loader);
    CachePlan.Types types =
        new CachePlan.Types(
            name, keyType, valueType, options == null ? null : options.classLoader());
    CachePlan<K, V> plan = null;
    while (true) {
      catalog.loseEnded(name);
      OpenCache there = find(types, options != null);
      if (there != null) {
        if (options != null) {
          options
              .values()
              .requireAsOpen(name, there.options.values().orElse(CacheOptions.DEFAULTS));
        }
        @SuppressWarnings("unchecked") // the types are equal
        PersistentCache<K, V> cache = (PersistentCache<K, V>) there.cache;
        return cache;
      }
      if (plan == null) {
        plan =
            CachePlan.of(
                engine,
                codecs,
                types,
                keyType,
                valueType,
                options == null ? CacheOptions.defaults() : options);
      }
      CachePlan<K, V> made = plan;
      Created<K, V> created =
          catalog.<@Nullable Created<K, V>>locked(
              () -> find(types, options != null) == null ? create(made, false) : null);
      if (created != null) {
        return opened(created);
      }
    }
  }

  private static <K, V> @Nullable CacheOptions<K, V> withLoader(
      @Nullable CacheOptions<K, V> said, @Nullable ClassLoader loader) {
    return loader == null || (said != null && said.classLoader() != null)
        ? said
        : Objects.requireNonNullElse(said, CacheOptions.<K, V>defaults()).classLoader(loader);
  }

  /** The open cache of these types. With options, only a cache that is shared. */
  private @Nullable OpenCache find(CachePlan.Types types, boolean withOptions) {
    for (OpenCache there : open.of(types.name())) {
      if (there.types.matches(types, !withOptions) && (!withOptions || !there.own)) {
        return there;
      }
    }
    return null;
  }

  @Override
  public <K, V> PersistentCache<K, V> openOwn(
      String name, TypeRef<K> keyType, TypeRef<V> valueType, CacheOptions<K, V> options) {
    SpaceName.check(name);
    CachePlan.Types types = new CachePlan.Types(name, keyType, valueType, options.classLoader());
    CachePlan<K, V> plan = CachePlan.of(engine, codecs, types, keyType, valueType, options);
    return opened(catalog.locked(() -> create(plan, true)));
  }

  private <K, V> Created<K, V> create(CachePlan<K, V> plan, boolean own) {
    String name = plan.types().name();
    catalog.requireChanges(plan.options().changes().orElse(null));
    Entry before = plan.options().version().isEmpty() ? null : catalog.find(name);
    boolean outdated =
        before != null
            && plan.identity().reads(before.identity())
            && KeptOptions.isOtherVersion(plan.options().values(), before.options());
    Catalog.Opened opened =
        catalog.open(
            name,
            plan.identity(),
            Layout.ENTRIES,
            plan.options().onConflict() == CacheOptions.OnConflict.RESET,
            kept -> {
              Map<String, String> attributes =
                  KeptOptions.attributes(plan.options(own, kept), kept);
              return outdated ? KeptOptions.withVersionOf(attributes, kept) : attributes;
            });
    Map<String, String> kept = opened.kept();
    CacheOptions<K, V> options = plan.options(own, kept);
    refuseAnotherFeed(name, options);
    Catalog.Logged logged = catalog.logged(opened.space(), options.changes().orElse(null));
    if (logged.options() != null) {
      options = options.changes(logged.options());
    }
    IneffectiveLimits.warn(engine, name, options);
    if (KeptOptions.isMissingCode(options.values(), kept)) {
      LOG.warn(
          "The cache \"{}\" had an expiry policy in code, which is not kept. Entries that are"
              + " written now never expire; open it with the policy.",
          name);
    }
    if (KeptOptions.isFirstExpiry(options.values(), kept)) {
      LateExpiry.warn(engine, name, logged.space());
    }
    SharedSpace shared = spaces.computeIfAbsent(name, absent -> shared(name, logged.space()));
    CacheOptions.Writing<K, V> writing = options.writing();
    if (writing != null) {
      Drainers.refuseAnother(shared);
    }
    KeyDirectory<K> directory = null;
    if (plan.keys() instanceof KeyCodec<K> any) {
      directory = directory(name, any, shared);
    }
    CacheEntryFormat<K, V> format =
        new CacheEntryFormat<>(
            name,
            plan.keys(),
            directory,
            plan.values(),
            plan.pendingValues(),
            options,
            engine,
            shared.tags);
    CacheEntries<K, V> entries =
        new CacheEntries<>(shared, engine, format, options, expiryScans, heap);
    if (outdated) {
      entries.clearRecords();
    }
    HotTier tier = options.warmRestart().orElse(true) ? entries.hotTier() : null;
    WarmRestart<K, V> warmRestart =
        tier == null ? null : new WarmRestart<>(entries, tier, new HotKeys(catalog, name, engine));
    PersistentCache<K, V> cache = new PersistentCache<>(this, entries, options, warmRestart);
    Drainers.open(catalog, entries, writing);
    if (catalog.isFeedLost()) {
      shared.feedLost();
    }
    open.add(name, new OpenCache(cache, plan.types(), options, format, own));
    if (warmRestart != null) {
      warmRestarts.add(warmRestart);
    }
    return new Created<>(cache, outdated ? options.version().orElseThrow() : null);
  }

  /** A new cache, and the version for which it was cleared; null if it was not. */
  private record Created<K, V>(PersistentCache<K, V> cache, @Nullable String version) {}

  /**
   * Ends the opening of a cache. One that was cleared gets its new version last, so that it is
   * cleared again if the process dies. No lock is held, as this may wait for rows.
   */
  private <K, V> PersistentCache<K, V> opened(Created<K, V> created) {
    PersistentCache<K, V> cache = created.cache;
    String version = created.version;
    if (version != null) {
      cache.entries.forgetCleared();
      catalog.locked(
          () -> {
            Entry there = catalog.find(cache.name());
            if (there != null) {
              catalog.keep(
                  cache.name(), KeptOptions.withVersion(there.options(), cache.name(), version));
            }
            return there;
          });
    }
    return cache;
  }

  /** Rejects switching the feed on or off while another cache of the name is open. */
  private void refuseAnotherFeed(String name, CacheOptions<?, ?> options) {
    SharedSpace there = spaces.get(name);
    ChangeOptions wanted = options.changes().orElse(null);
    if (there != null && wanted != null && there.isLogged() == wanted.isOff()) {
      throw new IllegalStateException(
          "The cache \""
              + name
              + "\" is already open "
              + (there.isLogged() ? "with" : "without")
              + " a change feed; close it first.");
    }
  }

  /** The state for a name without an open cache: that of closed caches while they are in use. */
  private SharedSpace shared(String name, Space space) {
    SharedSpace closed = closedSpaces.take(name);
    return closed == null
            || closed.isLogged() != LoggedSpace.isLogged(space)
            || catalog.hasEnded(closed.space)
        ? new SharedSpace(space, engine, catalog)
        : closed;
  }

  @Override
  public RecordCheck check(String name, boolean decode) {
    CacheEntryFormat<?, ?> format = null;
    if (decode) {
      for (OpenCache there : open.of(name)) {
        format = there.format;
      }
    }
    return new CacheEntryCheck(format);
  }

  @Override
  public OptionalLong diskBudgetBytes(String name) {
    SharedSpace shared = spaces.get(name);
    long bytes = shared == null ? 0 : shared.diskBudgetBytes();
    return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  @Override
  public HeapBudget heapBudget() {
    return heap.budget;
  }

  @Override
  public void loseEnded(String name) {
    catalog.loseEnded(name);
  }

  @Override
  public void notifyExpired() {
    expiryScans.scanNow();
  }

  @Override
  public Set<String> openNames() {
    return Set.copyOf(spaces.keySet());
  }

  @Override
  public @Nullable Space openSpace(String name) {
    SharedSpace shared = spaces.get(name);
    return shared == null ? null : shared.space;
  }

  @Override
  public void rowChanged(String name, byte[] hashKey) {
    SharedSpace shared = spaces.get(name);
    if (shared != null) {
      shared.rowChanged(hashKey);
    }
    SharedSpace tagged = spaces.get(Catalog.nameOfTags(name));
    if (tagged != null) {
      tagged.tags.rowChanged(hashKey);
    }
  }

  @Override
  public void spaceChanged(String name) {
    SharedSpace shared = spaces.get(name);
    if (shared != null) {
      shared.spaceChanged();
    }
    SharedSpace tagged = spaces.get(Catalog.nameOfTags(name));
    if (tagged != null) {
      tagged.tags.spaceChanged();
    }
  }

  @Override
  public void feedLost() {
    spaces.values().forEach(SharedSpace::feedLost);
  }

  @Override
  public void feedRegained() {
    spaces.values().forEach(SharedSpace::feedRegained);
  }

  @Override
  public void lose(String name, String why) {
    for (OpenCache there : open.remove(name, any -> true)) {
      there.cache.end("The cache \"" + name + "\" " + why);
      Drainers.end(there.cache.entries);
      there.cache.entries.closeHot();
      expiryScans.remove(there.cache.entries.ended);
      if (there.cache.warmRestart != null) {
        warmRestarts.forget(there.cache.warmRestart);
      }
    }
    spaces.remove(name);
    closedSpaces.lose(name);
  }

  @Override
  public void keep(PersistentCache<?, ?> cache, UnaryOperator<Map<String, String>> change) {
    catalog.locked(
        () -> {
          cache.ensureOpen(); // the lock is held, so the name still belongs to the cache
          Entry there = catalog.find(cache.name());
          Map<String, String> kept = there == null ? Map.of() : there.options();
          Map<String, String> all = new TreeMap<>(change.apply(KeptOptions.others(kept)));
          all.putAll(KeptOptions.of(kept));
          catalog.keep(cache.name(), all);
          return cache;
        });
  }

  /** See {@link PersistentCache#close()}. */
  void close(PersistentCache<?, ?> cache) {
    Drainers.finish(cache.entries);
    if (!catalog.locked(() -> open.remove(cache.name(), it -> it.cache == cache)).isEmpty()) {
      cache.end("The cache \"" + cache.name() + "\" is closed; open it again.");
      expiryScans.remove(cache.entries.ended);
      // No lock is held while rows change: a transaction that has locked them may wait for the
      // catalog's lock.
      engine.afterTransaction(() -> writeBack(cache));
    }
  }

  private void writeBack(PersistentCache<?, ?> cache) {
    EveryStep closing =
        new EveryStep()
            .take(() -> Drainers.stop(cache.entries))
            .take(cache.entries.idle::writeBackAll);
    if (cache.warmRestart != null) {
      closing.take(() -> warmRestarts.remove(cache.warmRestart));
    }
    closing
        .take(cache.entries::detach)
        .take(() -> catalog.locked(() -> release(cache.name(), cache.entries.shared)))
        .end();
  }

  /** Removes the shared state of a name without an open cache. */
  private boolean release(String name, SharedSpace shared) {
    boolean last = shared.caches.isEmpty() && spaces.remove(name, shared);
    if (last) {
      closedSpaces.add(name, shared);
    }
    return last;
  }

  @Override
  public void finishWriting() {
    EveryStep finishing = new EveryStep();
    open.all().forEach(there -> finishing.take(() -> Drainers.finish(there.cache.entries)));
    finishing.end();
  }

  @Override
  public void close() {
    List<OpenCache> all = catalog.locked(open::removeAll);
    EveryStep closing = new EveryStep();
    for (OpenCache there : all) {
      String message = "The cache \"" + there.types.name() + "\" is closed: its store is.";
      closing.take(() -> there.cache.end(message));
    }
    all.forEach(there -> closing.take(() -> Drainers.stop(there.cache.entries)));
    all.forEach(there -> closing.take(there.cache.entries.idle::writeBackAll));
    closing.take(warmRestarts::close).take(expiryScans::close).take(heap::close);
    all.forEach(there -> closing.take(there.cache.entries::closeHot));
    closing.take(spaces::clear).end();
  }
}

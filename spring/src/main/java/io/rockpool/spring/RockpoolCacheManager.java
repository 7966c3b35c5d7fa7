package io.rockpool.spring;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.cache.WriteBehindOptions;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.StoreAccess;
import io.rockpool.store.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.transaction.AbstractTransactionSupportingCacheManager;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.util.PatternMatchUtils;

/**
 * The Spring caches of a {@link Rockpool}. Thread-safe once it is initialized; what configures it
 * is called before.
 *
 * <pre>{@code
 * @Bean
 * RockpoolCacheManager cacheManager(Rockpool pool) {
 *   Codecs codecs = Codecs.builder().allowPackage("com.acme.shop").build();
 *   RockpoolCacheManager manager = new RockpoolCacheManager(pool, codecs);
 *   manager.setDefaults(RockpoolCacheConfiguration.defaults().ttl(Duration.ofHours(1)));
 *   return manager;
 * }
 * }</pre>
 *
 * <p>Spring does not say of which class a cached value is. So of the application's classes only
 * those that the codecs allow are written and read, beside the JDK's value and collection types.
 *
 * <p>A cache of a name is made when it is first asked for, or at the start if it is written behind.
 * If {@link #setCacheNames names} are given, these are made at the start, and no others. Each is
 * kept in the store under its name, behind its prefix if it has one; what an earlier run has left
 * there is in it. With {@link #setTransactionAware} puts, evictions, clears and {@link
 * CacheEvictTags} wait for the commit of Spring's transaction, and are left out where it rolls
 * back.
 *
 * <p>The manager closes its caches, not the store.
 */
public final class RockpoolCacheManager extends AbstractTransactionSupportingCacheManager
    implements AutoCloseable, ApplicationListener<ContextClosedEvent> {
  private static final TypeRef<Object> ANY = TypeRef.of(Object.class);

  private final Rockpool pool;
  private final Codec<Object> keyCodec;
  private final Codecs codecs;
  private final Map<String, RockpoolCache> caches = new HashMap<>();
  private final List<Consumer<RockpoolCache>> listeners = new ArrayList<>();
  private final Map<String, RockpoolCacheConfiguration> configurations = new HashMap<>();
  private RockpoolCacheConfiguration defaults = RockpoolCacheConfiguration.defaults();
  private @Nullable Set<String> names;
  private final ExecutorService retrievalThreads = RetrievalThreads.open();
  private Executor retrievalExecutor = retrievalThreads;
  private @Nullable Executor refreshExecutor;
  private volatile boolean ending;
  private boolean closed;

  /** A manager of caches of which the values are the JDK's types. */
  public RockpoolCacheManager(Rockpool pool) {
    this(pool, Codecs.defaults());
  }

  /**
   * A manager of caches in a store.
   *
   * @param codecs what may be a value, by its allow-list; and the codecs that are registered with
   *     it, for the application's classes in keys
   */
  public RockpoolCacheManager(Rockpool pool, Codecs codecs) {
    this.pool = Objects.requireNonNull(pool, "pool");
    this.codecs = Internals.store(pool).learning(Objects.requireNonNull(codecs, "codecs"));
    this.keyCodec = this.codecs.cacheKeyCodec(ANY);
  }

  /** Gives the caches there are; null for any that is asked for, which is the default. */
  public void setCacheNames(@Nullable Collection<String> newNames) {
    names = newNames == null ? null : new LinkedHashSet<>(newNames);
  }

  /** How caches behave as far as their own configuration does not say. */
  public void setDefaults(RockpoolCacheConfiguration configuration) {
    defaults = Objects.requireNonNull(configuration, "configuration");
  }

  /**
   * How the cache of a name behaves, or those whose names match a pattern: {@code "shop*"}, {@code
   * "*-by-day"}, {@code "*tmp*"}. The name itself goes before patterns, and of these the longest
   * before others; one configuration counts, over the defaults.
   */
  public void setCacheConfiguration(
      String nameOrPattern, RockpoolCacheConfiguration configuration) {
    configurations.put(
        Objects.requireNonNull(nameOrPattern, "nameOrPattern"),
        Objects.requireNonNull(configuration, "configuration"));
  }

  /**
   * On what the {@code retrieve} methods of caches read and call loaders; threads of the manager's
   * own are the default. They never wait for a loader's future. Do not share an executor whose
   * tasks wait for what these methods return: once all its threads wait, none reads.
   */
  public void setRetrievalExecutor(Executor executor) {
    retrievalExecutor = Objects.requireNonNull(executor, "executor");
  }

  /**
   * On what caches with a soft TTL or refresh-ahead factor refresh entries; null, the default, for
   * a few threads of each cache's own. It should be bounded: what it rejects is refreshed later.
   */
  public void setRefreshExecutor(@Nullable Executor executor) {
    refreshExecutor = executor;
  }

  /** What holds for the cache of a name. */
  public RockpoolCacheConfiguration configurationOf(String name) {
    RockpoolCacheConfiguration own = configurations.get(name);
    if (own == null) {
      own =
          configurations.keySet().stream()
              .filter(pattern -> PatternMatchUtils.simpleMatch(pattern, name))
              .max(Comparator.comparingInt(String::length).thenComparing(pattern -> pattern))
              .map(configurations::get)
              .orElse(RockpoolCacheConfiguration.defaults());
    }
    return own.over(defaults);
  }

  @Override
  protected Collection<? extends Cache> loadCaches() {
    List<Cache> loaded = new ArrayList<>();
    (names == null ? writtenBehind() : names).forEach(name -> loaded.add(cache(name)));
    return loaded;
  }

  /** The names of caches with writers: what an earlier run has left pending is to be written. */
  private Set<String> writtenBehind() {
    return configurations.keySet().stream()
        .filter(name -> !name.contains("*") && configurationOf(name).writeBehind().isPresent())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.rockpool.error.NameConflictException if the name holds something else in the store
   * @throws IllegalStateException if the manager is closed
   */
  @Override
  protected @Nullable Cache getMissingCache(String name) {
    return names == null || names.contains(name) ? cache(name) : null;
  }

  /**
   * Tells {@code listener} of each cache that is there, now, and of each that is made later, before
   * anyone uses it. Other caches are not made meanwhile, so it should be quick; what it throws
   * reaches who asked for the cache. Closing the registration ends that.
   */
  public synchronized Registration whenMade(Consumer<? super RockpoolCache> listener) {
    Consumer<RockpoolCache> place = Objects.requireNonNull(listener, "listener")::accept;
    listeners.add(place);
    caches.values().forEach(place);
    return () -> removeListener(place);
  }

  private synchronized void removeListener(Consumer<RockpoolCache> place) {
    listeners.remove(place);
  }

  /** The caches that have been made, sorted by name, without what makes them wait for a commit. */
  public synchronized List<RockpoolCache> caches() {
    return caches.values().stream().sorted(Comparator.comparing(RockpoolCache::getName)).toList();
  }

  @Override
  protected Cache decorateCache(Cache cache) {
    return isTransactionAware() ? new TransactionAwareRockpoolCache((RockpoolCache) cache) : cache;
  }

  private synchronized RockpoolCache cache(String name) {
    if (closed) {
      throw new StoreClosedException(
          "The manager of the Spring caches in " + pool + " is closed; make another.");
    }
    RockpoolCache there = caches.get(name);
    if (there != null) {
      return there;
    }
    RockpoolCache made = open(name);
    caches.put(name, made);
    listeners.forEach(listener -> listener.accept(made));
    return made;
  }

  private RockpoolCache open(String name) {
    RockpoolCacheConfiguration configuration = configurationOf(name);
    return new RockpoolCache(
        name,
        openKernel(name),
        configuration.options().refreshes(),
        configuration.writeBehind().isPresent(),
        this::retrieve,
        dropped -> reopen(name, dropped));
  }

  /**
   * Runs a task of a {@code retrieve} method: on the calling thread once the application ends and
   * the executor takes none, so that running requests are answered and later ones see the close.
   */
  private void retrieve(Runnable task) {
    try {
      retrievalExecutor.execute(task);
    } catch (RejectedExecutionException e) {
      if (!ending) {
        throw e;
      }
      task.run();
    }
  }

  /** Opens the cache of a name again, which was dropped, unless another thread has done that. */
  private synchronized void reopen(String name, PersistentCache<Object, Object> dropped) {
    RockpoolCache there = caches.get(name);
    if (!closed && there != null && there.getNativeCache() == dropped) {
      there.replaceNativeCache(openKernel(name));
    }
  }

  private PersistentCache<Object, Object> openKernel(String name) {
    RockpoolCacheConfiguration configuration = configurationOf(name);
    CacheOptions<Object, Object> options =
        configuration
            .options()
            .keyCodec(keyCodec)
            .valueCodec(new CacheValueCodec(configuration.evolving(codecs)));
    if (refreshExecutor != null) {
      options = options.refreshExecutor(refreshExecutor);
    }
    CacheOptions<Object, Object> all = options;
    StoreAccess store = Internals.store(pool);
    // A method in a transaction may be the first to use a cache.
    return store.outsideTransaction(
        () -> store.caches().openOwn(configuration.storedName(name), ANY, ANY, all));
  }

  /**
   * Writes what is pending behind caches, up to their close timeouts, while the beans that their
   * writers use are still there. What is changed later is written when the caches are closed, or
   * after the next start.
   */
  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    ending = true;
    for (RockpoolCache cache : caches()) {
      WriteBehindOptions behind = configurationOf(cache.getName()).writeBehind().orElse(null);
      PersistentCache<Object, Object> kernel = cache.getNativeCache();
      if (behind == null || kernel.isClosed()) {
        continue;
      }
      try {
        boolean unused = kernel.writeBehind().flush(behind.closeTimeout());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Closes the caches: their entries stay, and every use of them throws {@link
   * StoreClosedException} from then on. Does nothing if they are closed.
   */
  @Override
  public void close() {
    // With nothing held: it writes, and a transaction that holds what it writes may ask for a
    // cache.
    RuntimeException failure = null;
    for (RockpoolCache cache : end()) {
      try {
        if (!cache.getNativeCache().isClosed()) {
          cache.getNativeCache().close();
        }
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** From now on there are no caches; returns those that were. */
  private synchronized List<RockpoolCache> end() {
    ending = true;
    closed = true;
    retrievalThreads.shutdown();
    List<RockpoolCache> all = List.copyOf(caches.values());
    caches.clear();
    return all;
  }
}

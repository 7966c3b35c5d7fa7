package io.rockpool.spring.boot;

import io.rockpool.Rockpool;
import io.rockpool.cache.CacheExpiry;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.access.StoreAccess;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.spring.RockpoolCache;
import io.rockpool.spring.RockpoolCacheManager;
import io.rockpool.spring.boot.RockpoolDescriptors.CacheDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.EntryDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.QueueDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.ReclaimDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.RockpoolDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.SampleDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.StoreDescriptor;
import io.rockpool.spring.boot.RockpoolDescriptors.StructureDescriptor;
import io.rockpool.store.ServerState;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.cache.support.NullValue;

/**
 * The actuator endpoint {@code rockpool}: the stores and what is in them, their open queues, the
 * caches of each {@link RockpoolCacheManager}, an entry by its key.
 *
 * <p>It can be read once it is exposed. Clearing a cache, evicting an entry and changing a queue
 * also need {@code management.endpoint.rockpool.access=unrestricted}. Values are shown if {@code
 * management.endpoint.rockpool.show-values} allows it, after the application's {@link
 * SanitizingFunction}s. No request counts as a read of a cache, opens a store or creates a cache.
 *
 * <p>While a server is away, the list does not wait for it: {@code error} is set, and the names and
 * queues of its store are missing.
 *
 * <p><b>Cost.</b> The list reads the catalog of each store, one record per name, and a record per
 * message that consumers have. The details of a cache include the remaining lives of a sample of
 * its entries, at one record each: {@link #DEFAULT_SAMPLE} by default, {@link #MAX_SAMPLE} at most.
 * An entry costs one read, or up to {@link #MAX_SAMPLE} reads by {@link KeyType#TEXT}.
 */
@Endpoint(id = RockpoolEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class RockpoolEndpoint {
  /** The default sample size; reading it takes a few milliseconds. */
  public static final int DEFAULT_SAMPLE = 1_000;

  /** The most entries that are looked at: a tenth of a second or so. */
  public static final int MAX_SAMPLE = 20_000;

  /** The most names that are listed for a store, so that an answer has a bound. */
  public static final int MAX_STRUCTURES = 1_000;

  static final String ID = "rockpool";

  /** A value is shown up to this length: enough to see what it is. */
  private static final int MAX_SHOWN_CHARS = 4_096;

  private final OpenStores stores;
  private final Map<String, RockpoolCacheManager> managers;
  private final Sanitizer sanitizer;
  private final Show showValues;

  /**
   * The endpoint of an application.
   *
   * @param beans where its stores are
   * @param managers its cache managers, by the names of their beans
   * @param sanitizingFunctions what hides values that are shown
   * @param showValues whether values are shown to who is not known, as through JMX
   */
  public RockpoolEndpoint(
      ConfigurableListableBeanFactory beans,
      Map<String, RockpoolCacheManager> managers,
      Iterable<SanitizingFunction> sanitizingFunctions,
      Show showValues) {
    this.stores = new OpenStores(Objects.requireNonNull(beans, "beans"));
    this.managers = new TreeMap<>(managers);
    this.sanitizer = new Sanitizer(sanitizingFunctions);
    this.showValues = Objects.requireNonNull(showValues, "showValues");
  }

  /** The stores with what is in them, and the caches. */
  @ReadOperation
  public RockpoolDescriptor rockpool() {
    Map<String, StoreDescriptor> described = new TreeMap<>();
    stores.names().forEach(name -> described.put(name, describe(stores.store(name))));
    Map<String, List<CacheDescriptor>> caches = new TreeMap<>();
    managers.forEach(
        (name, manager) -> caches.put(name, open(manager).map(CacheDescriptor::of).toList()));
    return new RockpoolDescriptor(described, caches);
  }

  /** The caches of a manager, without those whose name was dropped since. */
  private static Stream<RockpoolCache> open(RockpoolCacheManager manager) {
    return manager.caches().stream().filter(cache -> !cache.getNativeCache().isClosed());
  }

  private static StoreDescriptor describe(@Nullable Rockpool pool) {
    if (pool == null) {
      return StoreDescriptor.NOT_OPEN;
    }
    if (!pool.state().server().map(ServerState::connected).orElse(true)) {
      return describe(pool, List.of(), List.of(), "A server of the store is not connected.");
    }
    try {
      List<StructureDescriptor> all =
          pool.names().list("").stream().map(StructureDescriptor::of).toList();
      StoreAccess store = Internals.store(pool);
      Map<String, Instant> nextFirings = store.nextFirings();
      List<QueueDescriptor> queues =
          store.queues().values().stream()
              .limit(MAX_STRUCTURES)
              .map(queue -> QueueDescriptor.of(queue, nextFirings.get(queue.name())))
              .toList();
      return describe(pool, all, queues, null);
    } catch (ServerUnavailableException e) {
      return describe(pool, List.of(), List.of(), e.getMessage());
    }
  }

  private static StoreDescriptor describe(
      Rockpool pool,
      List<StructureDescriptor> all,
      List<QueueDescriptor> queues,
      @Nullable String error) {
    return new StoreDescriptor(
        true,
        pool.toString(),
        pool.state().diskBytes(),
        ReclaimDescriptor.of(pool.state().reclaim()),
        all.size(),
        all.subList(0, Math.min(MAX_STRUCTURES, all.size())),
        queues,
        error);
  }

  /**
   * What a cache did and how long its entries live, or one of its entries.
   *
   * @param cache the cache's name, which may contain slashes
   * @param cacheManager the name of the manager's bean; required if several managers have a cache
   *     with this name
   * @param key the key of an entry, as text; null for the cache
   * @param keyType the type of the text; null tries every type
   * @param sample the sample size; {@link #DEFAULT_SAMPLE} if null
   * @return a {@link CacheDescriptor} or an {@link EntryDescriptor}; null if there is none
   */
  @ReadOperation
  public @Nullable OperationResponseBody cache(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] cache,
      @Nullable String cacheManager,
      @Nullable String key,
      @Nullable KeyType keyType,
      @Nullable Integer sample) {
    return cache(cache, cacheManager, key, keyType, sample, showValues.isShown(false));
  }

  @Nullable OperationResponseBody cache(
      String[] path,
      @Nullable String cacheManager,
      @Nullable String key,
      @Nullable KeyType keyType,
      @Nullable Integer sample,
      boolean shown) {
    RockpoolCache cache = find(path, cacheManager);
    if (cache == null) {
      return null;
    }
    return key == null && keyType != KeyType.NONE
        ? CacheDescriptor.of(cache).with(sample(cache, sample))
        : entry(cache, key, keyType, shown);
  }

  private static SampleDescriptor sample(RockpoolCache cache, @Nullable Integer sample) {
    int limit = sample == null ? DEFAULT_SAMPLE : sample;
    if (limit < 1 || limit > MAX_SAMPLE) {
      throw new InvalidEndpointRequestException(
          "sample is " + limit + "; give a number from 1 to " + MAX_SAMPLE + ".",
          "sample must be from 1 to " + MAX_SAMPLE);
    }
    return SampleDescriptor.of(Internals.cache(cache.getNativeCache()).sample(limit));
  }

  private static List<Object> candidates(
      RockpoolCache cache, @Nullable String key, @Nullable KeyType keyType) {
    return keyType == KeyType.TEXT
        ? firstWithText(cache, Objects.requireNonNullElse(key, ""))
        : KeyType.candidates(key, keyType);
  }

  /** The first key with such a text among the sampled entries. */
  private static List<Object> firstWithText(RockpoolCache cache, String text) {
    Iterator<Map.Entry<Object, Object>> entries = cache.getNativeCache().iterator();
    for (int i = 0; i < MAX_SAMPLE && entries.hasNext(); i++) {
      Object key = entries.next().getKey();
      if (text(key).equals(text)) {
        return List.of(key);
      }
    }
    return List.of();
  }

  private @Nullable EntryDescriptor entry(
      RockpoolCache cache, @Nullable String key, @Nullable KeyType keyType, boolean shown) {
    for (Object candidate : candidates(cache, key, keyType)) {
      FoundEntry found = FoundEntry.look(cache.getNativeCache(), candidate);
      if (found != null) {
        boolean isNull = found.value() instanceof NullValue;
        String shownKey = text(candidate);
        String name = cache.getName() + "[" + shownKey + "]";
        return new EntryDescriptor(
            cache.getName(),
            shownKey,
            candidate.getClass().getName(),
            found.ttl().equals(CacheExpiry.FOREVER) ? null : found.ttl(),
            isNull ? null : found.value().getClass().getName(),
            isNull ? null : text(name, found.value(), shown));
      }
    }
    return null;
  }

  private @Nullable Object text(String name, Object value, boolean shown) {
    // What is hidden is not even made into text.
    Object text = shown ? abbreviated(text(value)) : SanitizableData.SANITIZED_VALUE;
    return sanitizer.sanitize(new SanitizableData(null, name, text), shown);
  }

  /** The text of a key or value, or its class where it has none. */
  private static String text(Object object) {
    try {
      return String.valueOf((Object) object.toString());
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return object.getClass().getName() + ", whose toString threw " + e.getClass().getName();
    }
  }

  private static String abbreviated(String text) {
    return text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "…";
  }

  /**
   * Evicts an entry, or clears a cache. Of a cache of a transaction-aware manager that happens at
   * once.
   *
   * @param cache as for {@link #cache}
   * @param cacheManager as there
   * @param key the key of an entry, as there
   * @param keyType as there
   * @param clear true clears the cache; it is refused together with a key. Without a key it is
   *     required, because a mistyped {@code key} is no parameter of a request
   * @return whether there was such an entry, or cache
   */
  @DeleteOperation
  public boolean evict(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] cache,
      @Nullable String cacheManager,
      @Nullable String key,
      @Nullable KeyType keyType,
      @Nullable Boolean clear) {
    RockpoolCache found = find(cache, cacheManager);
    if (found == null) {
      return false;
    }
    boolean hasKey = key != null || keyType != null;
    if (hasKey == Boolean.TRUE.equals(clear)) {
      throw new InvalidEndpointRequestException(
          "Give either the key of an entry to evict, or clear=true to clear the whole cache.",
          "either key or clear=true is required");
    }
    if (!hasKey) {
      found.clear();
      return true;
    }
    return candidates(found, key, keyType).stream().anyMatch(found::evictIfPresent);
  }

  /**
   * Pauses, resumes, redrives or purges an open queue. Redriving takes as long as moving all of the
   * queue's dead letters does, some 0.1 ms each.
   *
   * @param queue the queue's name, which may contain slashes
   * @param action what to do
   * @param store the name of the store's bean; required if several stores have a queue of this name
   * @return the queue afterwards; null if there is none
   */
  @WriteOperation
  public @Nullable QueueDescriptor queue(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] queue,
      QueueAction action,
      @Nullable String store) {
    String name = String.join("/", queue);
    Map<String, StoreAccess> found = new TreeMap<>();
    for (String each : stores.names()) {
      Rockpool pool = store == null || store.equals(each) ? stores.store(each) : null;
      if (pool != null && Internals.store(pool).queues().containsKey(name)) {
        found.put(each, Internals.store(pool));
      }
    }
    StoreAccess there = only(found, "Queue", name, "store");
    if (there == null) {
      return null;
    }
    PersistentQueue<?> changed = Objects.requireNonNull(there.queues().get(name));
    change(changed, action);
    return QueueDescriptor.of(changed, there.nextFirings().get(name));
  }

  private static void change(PersistentQueue<?> queue, QueueAction action) {
    switch (action) {
      case PAUSE -> queue.pause();
      case RESUME -> queue.resume();
      case PURGE -> queue.purge();
      case REDRIVE -> redrive(queue);
    }
  }

  private static void redrive(PersistentQueue<?> queue) {
    if (queue.deadLetters() == null) {
      throw new InvalidEndpointRequestException(
          "Queue \"" + queue.name() + "\" keeps no dead letters.", "there are no dead letters");
    }
    try {
      long unused = queue.redrive(letter -> true, Double.POSITIVE_INFINITY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable RockpoolCache find(String[] path, @Nullable String cacheManager) {
    String name = String.join("/", path);
    Map<String, RockpoolCache> found = new TreeMap<>();
    managers.forEach(
        (managerName, manager) -> {
          if (cacheManager == null || cacheManager.equals(managerName)) {
            open(manager)
                .filter(cache -> cache.getName().equals(name))
                .forEach(cache -> found.put(managerName, cache));
          }
        });
    return only(found, "Cache", name, "cacheManager");
  }

  /** The only one of what was found in several places; null if there is none. */
  private static <T> @Nullable T only(
      Map<String, T> found, String kind, String name, String parameter) {
    if (found.size() > 1) {
      throw new InvalidEndpointRequestException(
          kind + " \"" + name + "\" is in each of " + found.keySet() + "; give " + parameter + ".",
          parameter + " is missing");
    }
    return found.values().stream().findFirst().orElse(null);
  }
}

package io.rockpool.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be asked or told by a cache at once: expiry policy, listener, loader and
 * writer. Notes each call by the short name that {@link OperationTableTest} uses.
 */
final class Observer {
  static final String LOADED = "loaded";

  final Policy policy = new Policy();
  final Listener listener = new Listener();
  final Loader loader = new Loader();
  final Writer writer = new Writer();
  private final List<String> noted = new ArrayList<>();

  private synchronized void note(String call) {
    noted.add(call);
  }

  private static void failIf(boolean failing) {
    if (failing) {
      throw new IllegalStateException("as told");
    }
  }

  /** How often each call was noted, by name; forgets them. */
  synchronized Map<String, Long> take() {
    Map<String, Long> counts = new TreeMap<>();
    noted.forEach(call -> counts.merge(call, 1L, Long::sum));
    noted.clear();
    return counts;
  }

  /** Answers what it was made with, and notes what it was asked. */
  final class Policy implements ExpiryPolicy {
    private Duration creation = Duration.ETERNAL;
    private @Nullable Duration update = Duration.ETERNAL;
    private @Nullable Duration access;
    private boolean failing;

    void creation(Duration newCreation) {
      creation = newCreation;
    }

    void update(@Nullable Duration newUpdate) {
      update = newUpdate;
    }

    void access(Duration newAccess) {
      access = newAccess;
    }

    void failing(boolean newFailing) {
      failing = newFailing;
    }

    private @Nullable Duration answer(String question, @Nullable Duration answer) {
      note(question);
      failIf(failing);
      return answer;
    }

    @Override
    public Duration getExpiryForCreation() {
      return answer("xC", creation);
    }

    @Override
    public Duration getExpiryForAccess() {
      return answer("xA", access);
    }

    @Override
    public Duration getExpiryForUpdate() {
      return answer("xU", update);
    }
  }

  /** Notes each event. */
  final class Listener
      implements CacheEntryCreatedListener<String, String>,
          CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String>,
          CacheEntryExpiredListener<String, String> {
    private void each(
        String call, Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      events.forEach(event -> note(call));
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      each("C", events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      each("U", events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      each("R", events);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      each("E", events);
    }
  }

  /** Loads the same value for every key. */
  final class Loader implements CacheLoader<String, String> {
    private boolean failing;

    void failing(boolean newFailing) {
      failing = newFailing;
    }

    @Override
    public String load(String key) {
      note("L");
      failIf(failing);
      return LOADED;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      note("Ls");
      failIf(failing);
      Map<String, String> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, LOADED));
      return loaded;
    }
  }

  /** Accepts everything, or nothing. */
  final class Writer implements CacheWriter<String, String> {
    private boolean failing;

    void failing(boolean newFailing) {
      failing = newFailing;
    }

    private void accept(String call) {
      note(call);
      failIf(failing);
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      accept("W");
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      accept("Ws");
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      accept("D");
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      accept("Ds");
      keys.clear();
    }
  }
}

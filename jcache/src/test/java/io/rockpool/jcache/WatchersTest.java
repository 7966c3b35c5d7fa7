package io.rockpool.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.PersistentCache;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import javax.cache.integration.CompletionListener;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Test;

/** Listeners, loaders and writers. */
class WatchersTest extends JCacheTest {
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  /** Notes every event. */
  private final class Notes
      implements CacheEntryCreatedListener<String, Integer>,
          CacheEntryUpdatedListener<String, Integer>,
          CacheEntryRemovedListener<String, Integer>,
          AutoCloseable {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      note(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      note(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      note(events);
    }

    private void note(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(
          event ->
              log.add(
                  "%s %s %s->%s"
                      .formatted(
                          event.getEventType(),
                          event.getKey(),
                          event.getOldValue(),
                          event.getValue())));
    }

    @Override
    public void close() {
      log.add("closed");
    }
  }

  private CacheEntryListenerConfiguration<String, Integer> notes(boolean oldValues) {
    return new MutableCacheEntryListenerConfiguration<>(Notes::new, null, oldValues, true);
  }

  private static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
  }

  /** A system of record that notes what it is asked, and refuses the key "bad". */
  private final class Ledger implements CacheLoader<String, Integer>, CacheWriter<String, Integer> {
    private final Map<String, Integer> rows = new HashMap<>();

    private void check(Object key) {
      if (key.equals("bad")) {
        throw new IllegalStateException("refused");
      }
      if (key.equals("worse")) {
        throw new StackOverflowError("refused");
      }
    }

    @Override
    public Integer load(String key) {
      log.add("load " + key);
      check(key);
      return rows.get(key);
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      Map<String, Integer> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      log.add("write " + entry.getKey());
      check(entry.getKey());
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      for (var left = entries.iterator(); left.hasNext(); ) {
        write(left.next());
        left.remove();
      }
    }

    @Override
    public void delete(Object key) {
      log.add("delete " + key);
      check(key);
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      for (var left = keys.iterator(); left.hasNext(); ) {
        delete(left.next());
        left.remove();
      }
    }
  }

  private Cache<String, Integer> through(Ledger ledger) {
    return manager()
        .createCache(
            "through",
            numbers()
                .setCacheLoaderFactory(() -> ledger)
                .setReadThrough(true)
                .setCacheWriterFactory(() -> ledger)
                .setWriteThrough(true));
  }

  @Test
  void listenersSeeEveryChangeWithItsOldValue() {
    Cache<String, Integer> cache =
        manager().createCache("c", numbers().addCacheEntryListenerConfiguration(notes(true)));
    cache.put("a", 1);
    cache.put("a", 2);
    cache.replace("a", 7, 8);
    cache.invoke(
        "a",
        (entry, arguments) -> {
          entry.setValue(entry.getValue() + 1);
          return null;
        });
    cache.remove("none");
    cache.removeAll();
    cache.put("b", 1);
    cache.clear();
    cache.close();
    assertThat(log)
        .containsExactly(
            "CREATED a null->1",
            "UPDATED a 1->2",
            "UPDATED a 2->3",
            "REMOVED a 3->3",
            "CREATED b null->1",
            "closed");
  }

  @Test
  void listenersComeAndGoAtRunTime() {
    Cache<String, Integer> cache = manager().createCache("c", numbers());
    CacheEntryListenerConfiguration<String, Integer> notes = notes(false);
    cache.put("a", 1);
    cache.registerCacheEntryListener(notes);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(notes))
        .isInstanceOf(IllegalArgumentException.class);
    cache.put("a", 2);
    cache.deregisterCacheEntryListener(notes);
    cache.put("a", 3);
    assertThat(log).containsExactly("UPDATED a null->2", "closed");
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    CacheEntryCreatedListener<String, Integer> failing =
        events -> {
          throw new IllegalStateException("no");
        };
    Cache<String, Integer> cache = manager().createCache("c", numbers());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> failing, null, false, true));
    assertThatThrownBy(() -> cache.put("a", 1)).isInstanceOf(CacheEntryListenerException.class);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void aFilterDecidesWhatASynchronousListenerHears() {
    CacheEntryEventFilter<String, Integer> even = event -> event.getValue() % 2 == 0;
    Cache<String, Integer> cache = manager().createCache("c", numbers());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(Notes::new, () -> even, true, true));
    for (int i = 1; i <= 4; i++) {
      cache.put("a", i);
    }
    cache.remove("a");
    assertThat(log).containsExactly("UPDATED a 1->2", "UPDATED a 3->4", "REMOVED a 4->4");
  }

  @Test
  void aFilterThatThrowsIsAListenerThatDoes() {
    CacheEntryEventFilter<String, Integer> failing =
        event -> {
          throw new IllegalStateException("as told");
        };
    Cache<String, Integer> cache = manager().createCache("c", numbers());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(Notes::new, () -> failing, true, true));
    assertThatThrownBy(() -> cache.put("a", 1))
        .isInstanceOf(CacheEntryListenerException.class)
        .hasRootCauseMessage("as told");
    assertThat(log).isEmpty();
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void readsGoThroughOnce() {
    Ledger ledger = new Ledger();
    ledger.rows.put("a", 1);
    Cache<String, Integer> cache = through(ledger);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("none")).isNull();
    assertThat(cache.getAll(Set.of("a", "none"))).isEqualTo(Map.of("a", 1));
    assertThat(log).containsExactly("load a", "load none", "load none");
    assertThatThrownBy(() -> cache.get("bad")).isInstanceOf(CacheLoaderException.class);
    assertThat(cache.containsKey("bad")).isFalse();
  }

  @Test
  void writesGoThroughBeforeTheCacheChanges() {
    Ledger ledger = new Ledger();
    Cache<String, Integer> cache = through(ledger);
    cache.put("a", 1);
    assertThat(cache.remove("a", 7)).isFalse();
    assertThat(cache.putIfAbsent("a", 7)).isFalse();
    cache.remove("a");
    cache.remove("a");
    assertThat(log).containsExactly("write a", "delete a", "delete a");
    assertThatThrownBy(() -> cache.put("bad", 1)).isInstanceOf(CacheWriterException.class);
    assertThat(cache.containsKey("bad")).isFalse();
  }

  @Test
  void whatAWriterCouldNotWriteIsNotInTheCache() {
    Ledger ledger = new Ledger();
    Cache<String, Integer> cache = through(ledger);
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("a", 1);
    map.put("bad", 2);
    map.put("z", 3);
    assertThatThrownBy(() -> cache.putAll(map)).isInstanceOf(CacheWriterException.class);
    assertThat(cache.containsKey("a")).isEqualTo(ledger.rows.containsKey("a")).isTrue();
    assertThat(cache.containsKey("bad")).isFalse();
    assertThat(cache.containsKey("z")).isEqualTo(ledger.rows.containsKey("z")).isFalse();
  }

  @Test
  @SuppressWarnings("unchecked") // a class cannot say its type arguments
  void whatAWriterCouldNotDeleteStaysInTheCache() {
    Ledger ledger = new Ledger();
    Cache<String, Integer> cache = through(ledger);
    cache.unwrap(PersistentCache.class).putAll(Map.of("a", 1, "bad", 2));
    Set<String> keys = new LinkedHashSet<>(List.of("a", "bad"));
    assertThatThrownBy(() -> cache.removeAll(keys)).isInstanceOf(CacheWriterException.class);
    assertThat(cache.containsKey("bad")).isTrue();
    assertThat(cache.containsKey("a")).isEqualTo(!log.contains("delete a"));
  }

  @Test
  void loadAllTellsWhenItIsDone() throws Exception {
    Ledger ledger = new Ledger();
    ledger.rows.putAll(Map.of("a", 1, "b", 2));
    Cache<String, Integer> cache = through(ledger);
    cache.put("b", 7);
    log.clear();
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(Set.of("a", "b"), false, done);
    done.get(10, TimeUnit.SECONDS);
    assertThat(cache.getAll(Set.of("a", "b"))).isEqualTo(Map.of("a", 1, "b", 7));
    assertThat(log).containsExactly("load a");

    CompletionListenerFuture failed = new CompletionListenerFuture();
    cache.loadAll(Set.of("bad"), true, failed);
    assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CacheLoaderException.class);
  }

  @Test
  void loadAllTellsOfErrorsTooWhateverOtherListenersDo() throws Exception {
    Ledger ledger = new Ledger();
    Cache<String, Integer> cache = through(ledger);
    cache.loadAll(Set.of("worse"), true, null);
    cache.loadAll(Set.of("worse"), true, new Listening(() -> {}));
    CompletionListenerFuture failed = new CompletionListenerFuture();
    cache.loadAll(Set.of("worse"), true, failed);
    assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CacheLoaderException.class)
        .hasRootCauseInstanceOf(StackOverflowError.class);
    ledger.rows.put("a", 1);
    CountDownLatch told = new CountDownLatch(1);
    cache.loadAll(Set.of("a"), true, new Listening(told::countDown));
    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(cache.get("a")).isEqualTo(1);
  }

  /** Notes that it was told, and fails. */
  private record Listening(Runnable told) implements CompletionListener {
    @Override
    public void onCompletion() {
      told.run();
      throw new StackOverflowError("as told");
    }

    @Override
    public void onException(Exception e) {
      told.run();
      throw new IllegalStateException("as told");
    }
  }

  @Test
  void loadAllOfAClosedManagerIsRefused() {
    Cache<String, Integer> cache = through(new Ledger());
    RockpoolJCacheManager manager = (RockpoolJCacheManager) cache.getCacheManager();
    manager.close();
    assertThatThrownBy(() -> manager.execute(() -> {})).isInstanceOf(IllegalStateException.class);
  }
}

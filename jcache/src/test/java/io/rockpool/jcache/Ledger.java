package io.rockpool.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;

/** A system of record that keeps what it is given and hands out what it has. */
@SuppressWarnings("JavaUtilDate") // a key that can be changed
final class Ledger implements CacheLoader<Date, List<String>>, CacheWriter<Date, List<String>> {
  final Map<Long, List<String>> rows = new HashMap<>();
  private final List<Date> keys = new ArrayList<>();

  /** What the loader waits for. */
  volatile CountDownLatch held = new CountDownLatch(0);

  @Override
  public List<String> load(Date key) {
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    keys.add(key);
    return rows.get(key.getTime());
  }

  @Override
  public Map<Date, List<String>> loadAll(Iterable<? extends Date> all) {
    Map<Date, List<String>> loaded = new HashMap<>();
    all.forEach(key -> loaded.put(new Date(key.getTime()), load(key)));
    return loaded;
  }

  @Override
  public void write(Cache.Entry<? extends Date, ? extends List<String>> entry) {
    keys.add(entry.getKey());
    rows.put(entry.getKey().getTime(), entry.getValue());
  }

  @Override
  public void writeAll(Collection<Cache.Entry<? extends Date, ? extends List<String>>> entries) {
    entries.forEach(this::write);
    entries.clear();
  }

  @Override
  public void delete(Object key) {
    keys.add((Date) key);
  }

  @Override
  public void deleteAll(Collection<?> all) {
    all.forEach(this::delete);
    all.clear();
  }

  /** Changes all that it has ever been given. */
  void spoilAll() {
    keys.forEach(key -> key.setTime(5));
    rows.values().forEach(value -> value.add("spoilt"));
  }
}

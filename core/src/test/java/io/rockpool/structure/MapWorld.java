package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A map with expiring entries and its model: a {@code ConcurrentHashMap} of the JDK, and the
 * expiries beside it.
 *
 * @param <M> the kind of map
 */
final class MapWorld<M extends ConcurrentMap<String, Long> & PersistentStructure>
    implements ModelCheck.World {
  private static final List<String> KEYS = List.of("", "a", "b", "c", "aa", "ab", "\0", "ÿ", "日");

  private final StoreUnderTest store;
  private final Function<Rockpool, M> opener;
  private final Extras<M> extras;
  private final FakeClock clock;
  private final ConcurrentMap<String, Long> model = new ConcurrentHashMap<>();
  private final Map<String, Long> expiries = new HashMap<>();
  private long wholeExpiry = Expiry.NEVER;
  private M map;

  /** What a map has beyond {@code ConcurrentMap}. */
  interface Extras<M> {
    void put(M map, String key, Long value, Duration ttl);

    boolean expireAfter(M map, String key, Duration ttl);

    boolean persist(M map, String key);

    long increment(M map, String key, long by);

    long removeAll(M map, List<String> keys);

    Map<String, Long> getAll(M map, List<String> keys);
  }

  MapWorld(StoreUnderTest store, Function<Rockpool, M> opener, Extras<M> extras) {
    this.store = store;
    this.opener = opener;
    this.extras = extras;
    this.clock = store.clock;
    this.map = opener.apply(store.pool());
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    Long value = (long) random.nextInt(4);
    Long other = (long) random.nextInt(4);
    Duration ttl = Duration.ofMillis(random.nextInt(30) - 3);
    List<String> keys = new ArrayList<>();
    random.ints(random.nextInt(5), 0, KEYS.size()).forEach(i -> keys.add(KEYS.get(i)));
    int operation = random.nextInt(26);
    log.accept(describe(operation, key, value, other, ttl, keys));
    switch (operation) {
      case 0, 1, 2 -> {
        same(m -> m.put(key, value));
        expiries.remove(key);
      }
      case 3, 4 -> {
        extras.put(map, key, value, ttl);
        model.put(key, value);
        expire(key, ttl);
      }
      case 5 -> same(m -> m.putIfAbsent(key, value));
      case 6 -> same(m -> m.remove(key));
      case 7 -> same(m -> m.remove(key, value));
      case 8 -> same(m -> m.replace(key, value));
      case 9 -> same(m -> m.replace(key, value, other));
      case 10 -> same(m -> m.compute(key, toggling(value)));
      case 11 -> same(m -> m.merge(key, value, (a, b) -> a.equals(b) ? null : a + b));
      case 12 -> same(m -> m.computeIfAbsent(key, k -> value == 0 ? null : value));
      case 13 -> same(m -> m.computeIfPresent(key, toggling(value)));
      case 14 -> {
        Map<String, Long> all = new HashMap<>();
        keys.forEach(k -> all.put(k, value));
        same(
            m -> {
              m.putAll(all);
              return null;
            });
        expiries.keySet().removeAll(keys);
      }
      case 15 -> {
        long there = keys.stream().distinct().filter(model::containsKey).count();
        assertThat(extras.removeAll(map, keys)).isEqualTo(there);
        model.keySet().removeAll(keys);
      }
      case 16 -> {
        Map<String, Long> expected = new HashMap<>(model);
        expected.keySet().retainAll(keys);
        assertThat(extras.getAll(map, keys)).isEqualTo(expected);
      }
      case 17 -> {
        assertThat(extras.expireAfter(map, key, ttl)).isEqualTo(model.containsKey(key));
        if (model.containsKey(key)) {
          expire(key, ttl);
        }
      }
      case 18 -> {
        assertThat(extras.persist(map, key)).isEqualTo(model.containsKey(key));
        expiries.remove(key);
      }
      case 19 ->
          assertThat(extras.increment(map, key, value))
              .isEqualTo(model.merge(key, value, Long::sum));
      case 20 -> removeWalking(map, model, value);
      case 21, 22 -> clock.advanceMillis(random.nextInt(12));
      case 23 -> rare(random, ttl, log);
      case 24 -> {
        store.pool().reclaim();
        dropExpired();
        assertThat(map).hasSize(model.size());
      }
      default -> {}
    }
    dropExpired();
    compare(key);
  }

  private void rare(Random random, Duration ttl, Consumer<String> log) {
    int operation = random.nextInt(5);
    log.accept("rare " + List.of("clear", "reopen", "crash", "expire", "drop").get(operation));
    switch (operation) {
      case 0 -> same(MapWorld::clear);
      case 1 -> map = opener.apply(store.reopen());
      case 2 -> map = opener.apply(store.crash());
      case 3 -> {
        map.clearAfter(ttl);
        wholeExpiry = Expiry.after(clock, ttl);
      }
      default -> {
        assertThat(store.pool().names().drop(map.name())).isTrue();
        map = opener.apply(store.pool());
        model.clear();
        wholeExpiry = Expiry.NEVER;
      }
    }
  }

  private static Object clear(ConcurrentMap<String, Long> map) {
    map.clear();
    return null;
  }

  private static String describe(int operation, Object... arguments) {
    return "operation " + operation + " " + List.of(arguments);
  }

  private static BiFunction<String, Long, Long> toggling(Long value) {
    return (key, old) -> Objects.equals(old, value) ? null : value;
  }

  private static void removeWalking(
      ConcurrentMap<String, Long> map, ConcurrentMap<String, Long> model, Long value) {
    for (ConcurrentMap<String, Long> each : List.of(map, model)) {
      Iterator<Map.Entry<String, Long>> walk = each.entrySet().iterator();
      while (walk.hasNext()) {
        Map.Entry<String, Long> entry = walk.next();
        if (entry.getValue().equals(value)) {
          walk.remove();
        } else {
          entry.setValue(entry.getValue() + 1);
        }
      }
    }
  }

  private void same(Function<ConcurrentMap<String, Long>, Object> operation) {
    assertThat(operation.apply(map)).isEqualTo(operation.apply(model));
  }

  private void expire(String key, Duration ttl) {
    expiries.put(key, Expiry.after(clock, ttl));
  }

  /** Forgets what has expired, and the expiries of what has been removed. */
  private void dropExpired() {
    if (Expiry.isPast(wholeExpiry, clock)) {
      model.clear();
      wholeExpiry = Expiry.NEVER;
    }
    expiries.forEach(
        (key, expiry) -> {
          if (Expiry.isPast(expiry, clock)) {
            model.remove(key);
          }
        });
    expiries.keySet().retainAll(model.keySet());
  }

  private void compare(String key) {
    assertThat(map.get(key)).isEqualTo(model.get(key));
    assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
    assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(map.size()).isGreaterThanOrEqualTo(model.size());
    assertThat(new HashMap<>(map)).isEqualTo(model);
    assertThat(map.keySet()).isEqualTo(model.keySet());
  }

  @Override
  public void close() {
    store.close();
  }
}

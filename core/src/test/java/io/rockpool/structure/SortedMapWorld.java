package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A sorted map with expiring entries and its model: a {@code ConcurrentSkipListMap} of the JDK, and
 * the expiries beside it. Operations go through views, and views of views.
 */
final class SortedMapWorld<K extends Comparable<K>> implements ModelCheck.World {
  private final StoreUnderTest store;
  private final TypeRef<K> keyType;
  private final List<K> keys;
  private final ConcurrentSkipListMap<K, Long> model = new ConcurrentSkipListMap<>();
  private final Map<K, Long> expiries = new HashMap<>();
  private long wholeExpiry = Expiry.NEVER;
  private PersistentSortedMap<K, Long> map;
  private Random random = new Random(0);
  private Consumer<String> log = operation -> {};

  SortedMapWorld(StoreUnderTest store, TypeRef<K> keyType, List<K> keys) {
    this.store = store;
    this.keyType = keyType;
    this.keys = keys;
    this.map = open(store.pool());
  }

  private PersistentSortedMap<K, Long> open(Rockpool pool) {
    return pool.sortedMap("model", keyType, TypeRef.of(Long.class));
  }

  @Override
  public void step(Random stepRandom, Consumer<String> stepLog) {
    random = stepRandom;
    log = stepLog;
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> onView();
      case 9, 10 -> expire();
      case 11 -> inBatches();
      case 12 -> ranges();
      case 13 -> increment();
      case 14 -> advance();
      default -> rare();
    }
    compareAll();
  }

  private K key() {
    return keys.get(random.nextInt(keys.size()));
  }

  private void advance() {
    long millis = random.nextInt(10);
    log.accept("advance " + millis);
    store.clock.advanceMillis(millis);
    long now = store.clock.millis();
    expiries.forEach(
        (key, expiry) -> {
          if (expiry <= now) {
            model.remove(key);
          }
        });
    expireWhole();
    expiries.keySet().retainAll(model.keySet());
  }

  /** Forgets everything once the map as a whole has expired. */
  private void expireWhole() {
    if (wholeExpiry <= store.clock.millis()) {
      model.clear();
      wholeExpiry = Expiry.NEVER;
    }
  }

  private void rare() {
    int what = random.nextInt(8);
    long millis = random.nextInt(20);
    log.accept("rare " + what + " " + millis);
    switch (what) {
      case 0 -> {
        map.clear();
        model.clear();
        expiries.clear();
      }
      case 1 -> map = open(store.reopen());
      case 2 -> map = open(store.crash());
      case 3 -> {
        map.clearAfter(Duration.ofMillis(millis));
        wholeExpiry = store.clock.millis() + millis;
        expireWhole();
      }
      case 4 -> {
        map.cancelClear();
        wholeExpiry = Expiry.NEVER;
      }
      case 5 -> {
        assertThat(store.pool().names().drop("model")).isTrue();
        map = open(store.pool());
        model.clear();
        wholeExpiry = Expiry.NEVER;
      }
      case 6 -> {
        store.pool().reclaim();
        assertThat(map).hasSize(model.size());
      }
      default -> {}
    }
  }

  private void expire() {
    K key = key();
    long millis = random.nextInt(12);
    Duration ttl = Duration.ofMillis(millis);
    int what = random.nextInt(3);
    log.accept(List.of("put ", "expireAfter ", "persist ").get(what) + key + " " + millis);
    switch (what) {
      case 0 -> {
        map.put(key, millis, ttl);
        model.put(key, millis);
        expireModel(key, millis);
      }
      case 1 -> {
        assertThat(map.expireAfter(key, ttl)).isEqualTo(model.containsKey(key));
        expireModel(key, millis);
      }
      default -> {
        assertThat(map.persist(key)).isEqualTo(model.containsKey(key));
        expiries.remove(key);
      }
    }
    if (model.containsKey(key)) {
      Duration left =
          expiries.containsKey(key)
              ? Duration.ofMillis(expiries.get(key) - store.clock.millis())
              : PersistentStructure.FOREVER;
      assertThat(map.ttl(key)).contains(left);
    } else {
      assertThat(map.ttl(key)).isEmpty();
    }
  }

  private void expireModel(K key, long ttlMillis) {
    if (ttlMillis == 0) {
      model.remove(key);
      expiries.remove(key);
    } else if (model.containsKey(key)) {
      expiries.put(key, store.clock.millis() + ttlMillis);
    }
  }

  private void inBatches() {
    Set<K> some = new HashSet<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      some.add(key());
    }
    if (random.nextBoolean()) {
      log.accept("putAll " + some);
      Map<K, Long> all = new HashMap<>();
      some.forEach(key -> all.put(key, random.nextLong(5)));
      map.putAll(all);
      model.putAll(all);
      expiries.keySet().removeAll(some);
    } else {
      log.accept("removeAll " + some);
      long before = model.size();
      model.keySet().removeAll(some);
      assertThat(map.removeAll(some)).isEqualTo(before - model.size());
    }
    Map<K, Long> found = new HashMap<>(model);
    found.keySet().retainAll(some);
    assertThat(map.getAll(some)).isEqualTo(found);
  }

  private void removeRange(Range<K> range, ConcurrentNavigableMap<K, Long> part) {
    boolean reversed = random.nextBoolean();
    long limit = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(4);
    log.accept("removeRange " + part + " " + reversed + " " + limit);
    List<K> gone = (reversed ? part.descendingMap() : part).keySet().stream().limit(limit).toList();
    assertThat(map.removeRange((reversed ? range.reversed() : range).limit(limit)))
        .isEqualTo(gone.size());
    part.keySet().removeAll(gone);
  }

  /** Reads or removes a range that is not a view. */
  private void ranges() {
    K a = key();
    K b = key();
    K low = a.compareTo(b) <= 0 ? a : b;
    K high = a.compareTo(b) <= 0 ? b : a;
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    ConcurrentNavigableMap<K, Long> part = model.subMap(low, fromInclusive, high, toInclusive);
    if (random.nextInt(4) == 0) {
      removeRange(Ranges.of(low, fromInclusive, high, toInclusive), part);
      return;
    }
    int limit = random.nextInt(6);
    int offset = random.nextInt(3);
    Range<K> range = Ranges.of(low, fromInclusive, high, toInclusive).offset(offset).limit(limit);
    if (random.nextBoolean()) {
      range = range.reversed();
      part = part.descendingMap();
    }
    assertThat(map.read(range))
        .isEqualTo(part.entrySet().stream().skip(offset).limit(limit).toList());
  }

  private void increment() {
    K key = key();
    log.accept("increment " + key);
    long sum = model.merge(key, 7L, Long::sum);
    assertThat(map.increment(key, 7)).isEqualTo(sum);
  }

  /** Does the same to a view of both, perhaps a view of a view. */
  private void onView() {
    ConcurrentNavigableMap<K, Long> view = map;
    ConcurrentNavigableMap<K, Long> expected = model;
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      Function<ConcurrentNavigableMap<K, Long>, Object> narrow = narrowing();
      Object narrowed = outcome(narrow, view);
      Object expectedNarrowed = outcome(narrow, expected);
      if (!(expectedNarrowed instanceof ConcurrentNavigableMap)) {
        assertThat(narrowed).isEqualTo(expectedNarrowed);
        return;
      }
      view = cast(narrowed);
      expected = cast(expectedNarrowed);
    }
    K key = key();
    long value = random.nextInt(5);
    int what = random.nextInt(30);
    Function<ConcurrentNavigableMap<K, Long>, Object> operation = operation(what, key, value);
    log.accept("operation " + what + " " + key + " " + value);
    assertThat(outcome(operation, view)).isEqualTo(outcome(operation, expected));
    if (what == 0 && expected.containsKey(key)) {
      expiries.remove(key);
    }
    assertThat(contents(view)).isEqualTo(contents(expected));
  }

  @SuppressWarnings("unchecked") // it is one of these maps
  private ConcurrentNavigableMap<K, Long> cast(Object view) {
    return (ConcurrentNavigableMap<K, Long>) view;
  }

  private Function<ConcurrentNavigableMap<K, Long>, Object> narrowing() {
    K from = key();
    K to = key();
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    int what = random.nextInt(7);
    log.accept("view " + what + " " + from + " " + fromInclusive + " " + to + " " + toInclusive);
    return switch (what) {
      case 0 -> ConcurrentNavigableMap::descendingMap;
      case 1 -> view -> view.headMap(to, toInclusive);
      case 2 -> view -> view.tailMap(from, fromInclusive);
      case 3 -> view -> view.headMap(to);
      case 4 -> view -> view.tailMap(from);
      case 5 -> view -> view.subMap(from, to);
      default -> view -> view.subMap(from, fromInclusive, to, toInclusive);
    };
  }

  private Function<ConcurrentNavigableMap<K, Long>, Object> operation(int what, K key, long value) {
    return switch (what) {
      case 0 -> view -> view.put(key, value);
      case 1 -> view -> view.putIfAbsent(key, value);
      case 2 -> view -> view.remove(key);
      case 3 -> view -> view.remove(key, value);
      case 4 -> view -> view.replace(key, value);
      case 5 -> view -> view.replace(key, value, value + 1);
      case 6 -> view -> view.merge(key, value, Long::sum);
      case 7 -> view -> view.computeIfPresent(key, (k, v) -> v == value ? null : v + 1);
      case 8 -> view -> view.get(key);
      case 9 -> view -> view.containsKey(key);
      case 10 -> ConcurrentNavigableMap::firstKey;
      case 11 -> ConcurrentNavigableMap::lastKey;
      case 12 -> view -> view.floorEntry(key);
      case 13 -> view -> view.ceilingEntry(key);
      case 14 -> view -> view.lowerEntry(key);
      case 15 -> view -> view.higherEntry(key);
      case 16 -> view -> view.floorKey(key);
      case 17 -> view -> view.ceilingKey(key);
      case 18 -> view -> view.lowerKey(key);
      case 19 -> view -> view.higherKey(key);
      case 20 -> ConcurrentNavigableMap::firstEntry;
      case 21 -> ConcurrentNavigableMap::lastEntry;
      case 22 -> ConcurrentNavigableMap::pollFirstEntry;
      case 23 -> ConcurrentNavigableMap::pollLastEntry;
      case 24 -> view -> view.containsValue(value);
      case 25 -> view -> view.values().remove(value);
      case 26 -> view -> removeEvery(view.entrySet().iterator(), (int) value + 1);
      case 27 -> view -> onKeys(view.navigableKeySet(), key, (int) value);
      case 28 -> view -> onKeys(view.descendingKeySet(), key, (int) value);
      default ->
          view -> {
            view.replaceAll((k, v) -> v + value);
            return view.toString();
          };
    };
  }

  private static <K> Object onKeys(NavigableSet<K> keys, K key, int what) {
    return switch (what) {
      case 0 -> keys.remove(key);
      case 1 -> keys.pollLast();
      case 2 -> keys.headSet(key, true).pollFirst() + " " + keys.tailSet(key).isEmpty();
      case 3 -> List.of(keys.contains(key), List.copyOf(keys.tailSet(key, false)));
      default -> keys.floor(key) + " " + keys.higher(key) + " " + List.copyOf(keys.descendingSet());
    };
  }

  private static int removeEvery(Iterator<?> walk, int nth) {
    int seen = 0;
    while (walk.hasNext()) {
      walk.next();
      if (++seen % nth == 0) {
        walk.remove();
      }
    }
    return seen;
  }

  /** What a function returns, or the class of what it throws. */
  private static <T> Object outcome(Function<T, Object> function, T argument) {
    try {
      Object result = function.apply(argument);
      return result == null ? "null" : result;
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return e.getClass();
    }
  }

  private static <K> List<Object> contents(ConcurrentNavigableMap<K, Long> view) {
    return List.of(
        List.copyOf(view.entrySet()),
        List.copyOf(view.keySet()),
        List.copyOf(view.values()),
        view.isEmpty());
  }

  private void compareAll() {
    expiries.keySet().retainAll(model.keySet());
    assertThat(contents(map)).isEqualTo(contents(model));
    assertThat(map.size()).isGreaterThanOrEqualTo(model.size());
    ConcurrentNavigableMap<K, Long> behind = map.tailMap(keys.get(0), true);
    assertThat(behind.size()).isEqualTo(model.tailMap(keys.get(0), true).size());
    assertThat(map).isEqualTo(model);
  }

  @Override
  public void close() {
    store.close();
  }
}

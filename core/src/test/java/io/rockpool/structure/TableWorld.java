package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A table with expiring records and its model: a map of maps, and the expiries beside it. */
final class TableWorld implements ModelCheck.World {
  private static final List<String> HASH_KEYS = List.of("", "a", "ab", "\0", "\uffff");
  private static final List<String> SORT_KEYS =
      List.of("", "\0", "a", "aa", "ab", "b", "ba", "bab", "\u00ff", "\ud83d\ude00");
  private static final List<String> VALUES = List.of("", "0", "7", "-12", "12", "abc", "cab");

  private static final Duration COUNT_TTL = Duration.ofMillis(15);

  private final StoreUnderTest store;
  private final TreeMap<String, TreeMap<String, String>> model = new TreeMap<>();
  private final Map<List<String>, Long> expiries = new HashMap<>();
  private final Map<List<String>, Count> counts = new HashMap<>();
  private long wholeExpiry = Expiry.NEVER;
  private PersistentTable<String, String, String> table;
  private PersistentTable<String, String, Long> counting;

  /** What is in the table of counts, whose records expire unless they say otherwise. */
  private record Count(long value, long expiryMillis) {}

  TableWorld(StoreUnderTest store) {
    this.store = store;
    open(store.pool());
  }

  private void open(Rockpool pool) {
    table = pool.table("model", String.class, String.class, String.class);
    counting =
        pool.table(
            "counts",
            TypeRef.of(String.class),
            TypeRef.of(String.class),
            TypeRef.of(Long.class),
            StructureOptions.defaults().entryTtl(COUNT_TTL));
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    String row = HASH_KEYS.get(random.nextInt(HASH_KEYS.size()));
    String key = key(random);
    String other = key(random);
    String value = value(random);
    long millis = random.nextInt(12);
    Duration ttl = Duration.ofMillis(millis);
    int operation = random.nextInt(20);
    log.accept("operation " + operation + " " + List.of(row, key, other, value, millis));
    switch (operation) {
      case 0, 1, 2 -> {
        table.put(row, key, value);
        modelPut(row, key, value);
      }
      case 3 -> {
        table.put(row, key, value, ttl);
        modelPut(row, key, value);
        expire(row, key, millis);
      }
      case 4 -> assertThat(table.remove(row, key)).isEqualTo(modelRemove(row, key));
      case 5 -> mutate(row, mutations(random, log));
      case 6, 7, 8 -> mutateWhen(row, key, random, log);
      case 9 -> {
        assertThat(table.expireAfter(row, key, ttl)).isEqualTo(row(row).containsKey(key));
        expire(row, key, millis);
      }
      case 10 -> {
        assertThat(table.persist(row, key)).isEqualTo(row(row).containsKey(key));
        expiries.remove(List.of(row, key));
      }
      case 11 -> {
        List<String> keys = List.of(key, other);
        long removed = keys.stream().distinct().filter(each -> modelRemove(row, each)).count();
        assertThat(table.removeAll(row, keys)).isEqualTo(removed);
      }
      case 12 -> advance(millis);
      case 13 -> rare(random.nextInt(8), row, millis);
      case 14 -> count(row, key, millis);
      case 15 -> onRow(table.row(row), row, key, value, random.nextInt(4));
      default -> read(row, random, log);
    }
    compare(row, key);
  }

  private static String key(Random random) {
    return SORT_KEYS.get(random.nextInt(SORT_KEYS.size()));
  }

  private static String value(Random random) {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  private NavigableMap<String, String> row(String row) {
    return model.getOrDefault(row, new TreeMap<>());
  }

  private void modelPut(String row, String key, String value) {
    model.computeIfAbsent(row, each -> new TreeMap<>()).put(key, value);
    expiries.remove(List.of(row, key));
  }

  private boolean modelRemove(String row, String key) {
    expiries.remove(List.of(row, key));
    boolean removed = row(row).remove(key) != null;
    model.values().removeIf(Map::isEmpty);
    return removed;
  }

  private void expire(String row, String key, long ttlMillis) {
    if (ttlMillis == 0) {
      modelRemove(row, key);
    } else if (row(row).containsKey(key)) {
      expiries.put(List.of(row, key), store.clock.millis() + ttlMillis);
    }
  }

  private void advance(long millis) {
    store.clock.advanceMillis(millis);
    List<List<String>> over =
        expiries.entrySet().stream()
            .filter(entry -> entry.getValue() <= store.clock.millis())
            .map(Map.Entry::getKey)
            .toList();
    over.forEach(place -> modelRemove(place.get(0), place.get(1)));
    expireWhole();
  }

  /** Forgets everything once the table as a whole has expired. */
  private void expireWhole() {
    if (wholeExpiry <= store.clock.millis()) {
      model.clear();
      expiries.clear();
      wholeExpiry = Expiry.NEVER;
    }
  }

  /**
   * Adds to a count; the first time it gets the table's time to live, later it keeps what is left.
   */
  private void count(String row, String key, long by) {
    long now = store.clock.millis();
    List<String> place = List.of(row, key);
    Count found = counts.get(place);
    Count after =
        found == null || found.expiryMillis <= now
            ? new Count(by, now + COUNT_TTL.toMillis())
            : new Count(found.value + by, found.expiryMillis);
    counts.put(place, after);
    assertThat(counting.increment(row, key, by)).isEqualTo(after.value);
    assertThat(counting.ttl(row, key)).contains(Duration.ofMillis(after.expiryMillis - now));
  }

  /** Changes a row through its view. */
  private void onRow(
      NavigableMap<String, String> view, String row, String key, String value, int what) {
    switch (what) {
      case 0 -> {
        assertThat(view.put(key, value)).isEqualTo(row(row).get(key));
        modelPut(row, key, value);
      }
      case 1 -> assertThat(view.floorEntry(key)).isEqualTo(row(row).floorEntry(key));
      case 2 -> {
        Map.Entry<String, String> last = row(row).lastEntry();
        assertThat(view.pollLastEntry()).isEqualTo(last);
        if (last != null) {
          modelRemove(row, last.getKey());
        }
      }
      default -> {
        view.tailMap(key, false).clear();
        List.copyOf(row(row).tailMap(key, false).keySet()).forEach(each -> modelRemove(row, each));
      }
    }
  }

  private void rare(int operation, String row, long millis) {
    switch (operation) {
      case 0 -> {
        table.clear();
        model.clear();
        expiries.clear();
      }
      case 1 -> open(store.reopen());
      case 2 -> open(store.crash());
      case 3 -> {
        assertThat(table.removeRow(row)).isEqualTo(row(row).size());
        List.copyOf(row(row).keySet()).forEach(key -> modelRemove(row, key));
      }
      case 4 -> {
        table.clearAfter(Duration.ofMillis(millis));
        wholeExpiry = store.clock.millis() + millis;
        expireWhole();
      }
      case 5 -> {
        assertThat(store.pool().drop("model")).isTrue();
        open(store.pool());
        model.clear();
        expiries.clear();
        wholeExpiry = Expiry.NEVER;
      }
      case 6 -> {
        store.pool().reclaim();
        HASH_KEYS.forEach(each -> assertThat(table.count(each)).isEqualTo(row(each).size()));
      }
    }
  }

  /** What is put, and empty for what is removed; in this order. */
  private Map<String, String> mutations(Random random, Consumer<String> log) {
    Map<String, String> mutations = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      mutations.put(key(random), value(random));
    }
    log.accept("mutations " + mutations);
    return mutations;
  }

  private static Mutations<String, String> asMutations(Map<String, String> mutations) {
    Mutations<String, String> made = new Mutations<>();
    mutations.forEach(
        (key, value) -> {
          if (value.isEmpty()) {
            made.remove(key);
          } else {
            made.put(key, value);
          }
        });
    return made;
  }

  private long modelMutate(String row, Map<String, String> mutations) {
    long changes = 0;
    for (Map.Entry<String, String> each : mutations.entrySet()) {
      if (each.getValue().isEmpty()) {
        changes += modelRemove(row, each.getKey()) ? 1 : 0;
      } else {
        modelPut(row, each.getKey(), each.getValue());
        changes++;
      }
    }
    return changes;
  }

  private void mutate(String row, Map<String, String> mutations) {
    assertThat(table.mutate(row, asMutations(mutations))).isEqualTo(modelMutate(row, mutations));
  }

  private void mutateWhen(String row, String key, Random random, Consumer<String> log) {
    String operand = value(random);
    int number = random.nextInt(14) - 1;
    int kind = random.nextInt(18);
    Map<String, String> mutations = mutations(random, log);
    Check<String> check = check(kind, operand, number);
    log.accept("if " + key + " " + check);
    String found = row(row).get(key);
    boolean passes;
    try {
      passes = expected(kind, operand, number).test(found);
    } catch (NumberFormatException e) {
      assertThat(thrownBy(row, key, check, mutations)).isInstanceOf(NumberFormatException.class);
      return;
    }
    CheckResult<String> result = table.when(row, key, check).mutate(asMutations(mutations));
    assertThat(result).isEqualTo(new CheckResult<>(passes, found));
    if (passes) {
      modelMutate(row, mutations);
    }
  }

  private RuntimeException thrownBy(
      String row, String key, Check<String> check, Map<String, String> mutations) {
    try {
      table.when(row, key, check).mutate(asMutations(mutations));
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static Check<String> check(int kind, String operand, long number) {
    return switch (kind) {
      case 0 -> Check.always();
      case 1 -> Check.absent();
      case 2 -> Check.absentOrEmpty();
      case 3 -> Check.present();
      case 4 -> Check.notEmpty();
      case 5 -> Check.contains(operand);
      case 6 -> Check.startsWith(operand);
      case 7 -> Check.endsWith(operand);
      case 8 -> Check.lessThan(operand);
      case 9 -> Check.atMost(operand);
      case 10 -> Check.equalTo(operand);
      case 11 -> Check.atLeast(operand);
      case 12 -> Check.greaterThan(operand);
      case 13 -> Check.numberLessThan(number);
      case 14 -> Check.numberAtMost(number);
      case 15 -> Check.numberEqualTo(number);
      case 16 -> Check.numberAtLeast(number);
      default -> Check.numberGreaterThan(number);
    };
  }

  private static Predicate<String> expected(int kind, String operand, long number) {
    Predicate<String> there = found -> found != null;
    return switch (kind) {
      case 0 -> found -> true;
      case 1 -> there.negate();
      case 2 -> found -> found == null || found.isEmpty();
      case 3 -> there;
      case 4 -> there.and(found -> !found.isEmpty());
      case 5 -> there.and(found -> found.contains(operand));
      case 6 -> there.and(found -> found.startsWith(operand));
      case 7 -> there.and(found -> found.endsWith(operand));
      case 8 -> there.and(found -> found.compareTo(operand) < 0);
      case 9 -> there.and(found -> found.compareTo(operand) <= 0);
      case 10 -> there.and(found -> found.equals(operand));
      case 11 -> there.and(found -> found.compareTo(operand) >= 0);
      case 12 -> there.and(found -> found.compareTo(operand) > 0);
      case 13 -> there.and(found -> Long.parseLong(found) < number);
      case 14 -> there.and(found -> Long.parseLong(found) <= number);
      case 15 -> there.and(found -> Long.parseLong(found) == number);
      case 16 -> there.and(found -> Long.parseLong(found) >= number);
      default -> there.and(found -> Long.parseLong(found) > number);
    };
  }

  private void read(String row, Random random, Consumer<String> log) {
    String a = key(random);
    String b = key(random);
    String low = a.compareTo(b) <= 0 ? a : b;
    String high = a.compareTo(b) <= 0 ? b : a;
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    boolean reversed = random.nextBoolean();
    int limit = random.nextInt(8);
    String part = key(random);
    int kind = random.nextInt(4);
    log.accept("read " + List.of(low, high, fromInclusive, toInclusive, reversed, kind, part));
    NavigableMap<String, String> expected = row(row);
    int offset = random.nextInt(3);
    Range<String> range = Range.all();
    if (random.nextInt(3) > 0) {
      expected = expected.subMap(low, fromInclusive, high, toInclusive);
      range = Ranges.of(low, fromInclusive, high, toInclusive);
    }
    range = range.offset(offset).limit(limit);
    if (reversed) {
      expected = expected.descendingMap();
      range = range.reversed();
    }
    Predicate<String> filter =
        switch (kind) {
          case 0 -> key -> true;
          case 1 -> key -> key.startsWith(part);
          case 2 -> key -> key.endsWith(part);
          default -> key -> key.contains(part);
        };
    range =
        switch (kind) {
          case 0 -> range;
          case 1 -> range.startingWith(part);
          case 2 -> range.endingWith(part);
          default -> range.containing(part);
        };
    List<Map.Entry<String, String>> found =
        expected.entrySet().stream()
            .filter(entry -> filter.test(entry.getKey()))
            .skip(offset)
            .limit(limit)
            .map(Map.Entry::copyOf)
            .toList();
    assertThat(table.read(row, range)).isEqualTo(found);
    assertThat(table.sortKeys(row, range))
        .isEqualTo(found.stream().map(Map.Entry::getKey).toList());
  }

  private void compare(String row, String key) {
    assertThat(table.get(row, key)).isEqualTo(row(row).get(key));
    assertThat(table.contains(row, key)).isEqualTo(row(row).containsKey(key));
    assertThat(table.row(row)).isEqualTo(row(row));
    assertThat(List.copyOf(table.row(row).keySet())).isEqualTo(List.copyOf(row(row).keySet()));
    assertThat(table.count(row)).isGreaterThanOrEqualTo(row(row).size());
    assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(asMaps(table.stream())).isEqualTo(model);
    assertThat(table.rowKeys()).containsExactlyInAnyOrderElementsOf(model.keySet());
    assertThat(table.containsRow(row)).isEqualTo(model.containsKey(row));
    assertThat(asMaps(table.streams(3).stream().flatMap(each -> each))).isEqualTo(model);
  }

  private static Map<String, Map<String, String>> asMaps(
      Stream<TableRecord<String, String, String>> records) {
    Map<String, Map<String, String>> maps = new TreeMap<>();
    records.forEach(
        each -> {
          Map<String, String> row =
              maps.computeIfAbsent(each.hashKey(), hashKey -> new TreeMap<>());
          assertThat(row.put(each.sortKey(), each.value())).isNull();
        });
    return maps;
  }

  @Override
  public void close() {
    store.close();
  }
}

package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final Codec<String> SORT_KEY_CODEC =
      Codecs.defaults().orderedFor(TypeRef.of(String.class));
  private static final Codec<String> VALUE_CODEC =
      Codecs.defaults().valueCodec(TypeRef.of(String.class));

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
            o -> o.entryTtl(COUNT_TTL));
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    String row = HASH_KEYS.get(random.nextInt(HASH_KEYS.size()));
    String key = key(random);
    String other = key(random);
    String value = value(random);
    long millis = random.nextInt(12);
    Duration ttl = Duration.ofMillis(millis);
    int operation = random.nextInt(24);
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
      case 16 -> removeRange(row, random, log);
      case 17 -> batches(row, HASH_KEYS.get(random.nextInt(HASH_KEYS.size())), key, other, value);
      case 18 -> filter(random.nextInt(6), random.nextBoolean() ? key : row);
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
        assertThat(store.pool().names().drop("model")).isTrue();
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
    int kind = random.nextInt(TableChecks.KINDS);
    Map<String, String> mutations = mutations(random, log);
    Check<String> check = TableChecks.check(kind, operand, number);
    log.accept("if " + key + " " + check);
    String found = row(row).get(key);
    boolean passes;
    try {
      passes = TableChecks.expected(kind, operand, number).test(found);
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

  /** A range, and the records in it. */
  private record Selection(Range<String> range, List<Map.Entry<String, String>> found) {
    List<String> keys() {
      return found.stream().map(Map.Entry::getKey).toList();
    }
  }

  private Selection select(String row, int offset, Random random, Consumer<String> log) {
    String a = key(random);
    String b = key(random);
    boolean isOrdered = random.nextInt(8) > 0;
    String low = !isOrdered || a.compareTo(b) <= 0 ? a : b;
    String high = !isOrdered ? b : a.compareTo(b) <= 0 ? b : a;
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    boolean reversed = random.nextBoolean();
    int limit = random.nextInt(8);
    String part = key(random);
    int kind = random.nextInt(4);
    log.accept("read " + List.of(low, high, fromInclusive, toInclusive, reversed, kind, part));
    NavigableMap<String, String> expected = row(row);
    Range<String> range = Range.all();
    if (random.nextInt(3) > 0) {
      expected =
          low.compareTo(high) > 0
              ? new TreeMap<>()
              : expected.subMap(low, fromInclusive, high, toInclusive);
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
    return new Selection(range, found);
  }

  private void read(String row, Random random, Consumer<String> log) {
    Selection selected = select(row, random.nextInt(3), random, log);
    assertThat(table.read(row, selected.range())).isEqualTo(selected.found());
    assertThat(table.sortKeys(row, selected.range())).isEqualTo(selected.keys());
    Range<String> unlimited = selected.range().limit(Long.MAX_VALUE);
    int all = table.read(row, unlimited).size();
    fetched(table.fetch(row, selected.range(), Long.MAX_VALUE), selected.found(), all);
    int maxBytes = random.nextInt(12);
    List<Map.Entry<String, String>> upTo = upTo(maxBytes, selected.found());
    fetched(table.fetch(row, selected.range(), maxBytes), upTo, all);
    List<String> keys = List.of(key(random), key(random), key(random), key(random));
    List<Map.Entry<String, String>> there =
        keys.stream()
            .filter(row(row)::containsKey)
            .map(key -> Map.entry(key, row(row).get(key)))
            .toList();
    fetched(
        store.pool().atomically(tx -> table.fetch(row, keys, maxBytes)),
        upTo(maxBytes, there),
        there.size());
    if (store.engine().capabilities().contains(Capability.SNAPSHOTS)) {
      try (Snapshot<TableView<String, String, String>> snapshot = table.snapshot()) {
        fetched(snapshot.view().fetch(row, selected.range(), maxBytes), upTo, all);
        fetched(snapshot.view().fetch(row, keys, maxBytes), upTo(maxBytes, there), there.size());
      }
    }
  }

  private static void fetched(
      Fetched<String, String> fetched, List<Map.Entry<String, String>> entries, int all) {
    assertThat(fetched).isEqualTo(new Fetched<>(entries, entries.size() == all));
  }

  /** The first entries, up to the one that reaches a size. */
  private static List<Map.Entry<String, String>> upTo(
      int maxBytes, List<Map.Entry<String, String>> entries) {
    int count = 0;
    int bytes = 0;
    while (count < entries.size() && (count == 0 || bytes < maxBytes)) {
      Map.Entry<String, String> entry = entries.get(count++);
      bytes += SORT_KEY_CODEC.encode(entry.getKey()).length;
      bytes += VALUE_CODEC.encode(entry.getValue()).length;
    }
    return entries.subList(0, count);
  }

  private void removeRange(String row, Random random, Consumer<String> log) {
    Selection selected = select(row, 0, random, log);
    assertThat(table.removeRange(row, selected.range())).isEqualTo(selected.found().size());
    selected.keys().forEach(key -> modelRemove(row, key));
  }

  /** Changes and reads records of two rows, which may be the same. */
  private void batches(String row, String otherRow, String key, String other, String value) {
    table.putAll(
        List.of(
            new TableRecord<>(row, key, value),
            new TableRecord<>(otherRow, other, "first"),
            new TableRecord<>(otherRow, other, value)));
    modelPut(row, key, value);
    modelPut(otherRow, other, value);
    List<TableKey<String, String>> places =
        List.of(new TableKey<>(row, other), new TableKey<>(otherRow, key));
    Map<TableKey<String, String>, String> expected = new LinkedHashMap<>();
    for (TableKey<String, String> place : places) {
      String there = row(place.hashKey()).get(place.sortKey());
      if (there != null) {
        expected.put(place, there);
      }
    }
    assertThat(table.getAll(places)).isEqualTo(expected);
    long removed = store.pool().atomically(tx -> table.removeAll(places));
    assertThat(removed).isEqualTo(expected.size());
    places.forEach(place -> modelRemove(place.hashKey(), place.sortKey()));
    table.putAll(List.of(new TableRecord<>(row, key, value)), Duration.ofMillis(value.length()));
    modelPut(row, key, value);
    expire(row, key, value.length());
  }

  private void filter(int kind, String part) {
    TableFilter<String, String> all = TableFilter.all();
    TableFilter<String, String> filter =
        switch (kind) {
          case 0 -> all.hashKeyStartingWith(part);
          case 1 -> all.hashKeyEndingWith(part);
          case 2 -> all.hashKeyContaining(part).sortKeyContaining("a");
          case 3 -> all.sortKeyStartingWith(part);
          case 4 -> all.sortKeyEndingWith(part);
          default -> all.sortKeyContaining(part).hashKeyContaining("a");
        };
    Map<String, Map<String, String>> expected = new TreeMap<>();
    model.forEach(
        (row, records) ->
            records.forEach(
                (key, value) -> {
                  boolean passes =
                      switch (kind) {
                        case 0 -> row.startsWith(part);
                        case 1 -> row.endsWith(part);
                        case 2 -> row.contains(part) && key.contains("a");
                        case 3 -> key.startsWith(part);
                        case 4 -> key.endsWith(part);
                        default -> key.contains(part) && row.contains("a");
                      };
                  if (passes) {
                    expected.computeIfAbsent(row, each -> new TreeMap<>()).put(key, value);
                  }
                }));
    assertThat(asMaps(table.stream(filter))).isEqualTo(expected);
    assertThat(asMaps(table.streams(2, filter).stream().flatMap(each -> each))).isEqualTo(expected);
    List<TableKey<String, String>> keys = new ArrayList<>();
    expected.forEach(
        (row, records) -> records.keySet().forEach(key -> keys.add(new TableKey<>(row, key))));
    assertThat(table.keys(filter)).containsExactlyInAnyOrderElementsOf(keys);
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

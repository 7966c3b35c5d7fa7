package io.rockpool.cli;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentSortedSet;
import io.rockpool.structure.PersistentTable;
import io.rockpool.structure.PersistentValue;
import io.rockpool.structure.StructureOptions;
import io.rockpool.structure.TableRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes decoded elements into a name of any type. */
final class ElementWriter {
  private final Consumer<List<Item>> together;
  private final Consumer<Item> expiring;
  private final @Nullable Runnable clear;
  private final Runnable close;

  /**
   * A decoded element.
   *
   * @param ttl its time to live; null for no end
   */
  record Item(
      @Nullable Object row,
      @Nullable Object key,
      @Nullable Object value,
      @Nullable Double score,
      @Nullable Duration ttl) {
    Object someRow() {
      return Objects.requireNonNull(row);
    }

    Object someKey() {
      return Objects.requireNonNull(key);
    }

    Object someValue() {
      return Objects.requireNonNull(value);
    }

    double someScore() {
      return Objects.requireNonNull(score);
    }

    Duration someTtl() {
      return Objects.requireNonNull(ttl);
    }
  }

  /**
   * Has what differs between types.
   *
   * @param together writes elements without a time to live
   * @param expiring writes one with it
   * @param clear removes all; null if writing an element again changes nothing
   * @param close ends writing
   */
  private ElementWriter(
      Consumer<List<Item>> together,
      Consumer<Item> expiring,
      @Nullable Runnable clear,
      Runnable close) {
    this.together = together;
    this.expiring = expiring;
    this.clear = clear;
    this.close = close;
  }

  /** One whose structure stays open until its store is closed. */
  private ElementWriter(
      Consumer<List<Item>> together, Consumer<Item> expiring, @Nullable Runnable clear) {
    this(together, expiring, clear, () -> {});
  }

  /** Ends writing. An open cache would keep its own options instead of those of the header. */
  void close() {
    close.run();
  }

  /** Whether writing an element again changes nothing. */
  boolean isRepeatable() {
    return clear == null;
  }

  /** Removes all elements of a name that is not {@linkplain #isRepeatable repeatable}. */
  void clear() {
    Objects.requireNonNull(clear).run();
  }

  /** How many of the lines that were written need not be written again. */
  long done(long lines) {
    return isRepeatable() ? lines : 0;
  }

  /** Writes elements in their order. */
  void write(List<Item> items) {
    List<Item> plain = new ArrayList<>();
    for (Item item : items) {
      if (item.ttl() == null) {
        plain.add(item);
      } else {
        writeTogether(plain);
        expiring.accept(item);
      }
    }
    writeTogether(plain);
  }

  private void writeTogether(List<Item> plain) {
    if (!plain.isEmpty()) {
      together.accept(plain);
      plain.clear();
    }
  }

  /** Opens or creates a name. Options but ranks come last, so that they change no element. */
  static ElementWriter open(Rockpool pool, String name, ElementHeader types) {
    StructureOptions plain = StructureOptions.defaults();
    return switch (types.type()) {
      case "map" -> {
        PersistentMap<Object, Object> map =
            pool.map(name, any(types.key()), any(types.value()), o -> plain);
        yield new ElementWriter(
            all -> map.putAll(pairs(all)),
            one -> map.put(one.someKey(), one.someValue(), one.someTtl()),
            null);
      }
      case "sorted map" -> {
        PersistentSortedMap<Object, Object> map =
            pool.sortedMap(name, any(types.key()), any(types.value()), o -> plain);
        yield new ElementWriter(
            all -> map.putAll(pairs(all)),
            one -> map.put(one.someKey(), one.someValue(), one.someTtl()),
            null);
      }
      case "cache" -> {
        PersistentCache<Object, Object> cache =
            pool.cache(name, any(types.key()), any(types.value()));
        yield new ElementWriter(
            all -> cache.putAll(pairs(all)),
            one -> cache.put(one.someKey(), one.someValue(), one.someTtl()),
            null,
            cache::close);
      }
      case "set" -> {
        PersistentSet<Object> set = pool.set(name, any(types.key()), o -> plain);
        yield new ElementWriter(
            all -> set.addAll(keys(all)), one -> set.add(one.someKey(), one.someTtl()), null);
      }
      case "sorted set" -> {
        PersistentSortedSet<Object> set = pool.sortedSet(name, any(types.key()), o -> plain);
        yield new ElementWriter(
            all -> set.addAll(keys(all)), one -> set.add(one.someKey(), one.someTtl()), null);
      }
      case "scored set" -> {
        String ranked = types.options().get("ranked");
        PersistentScoredSet<Object> set =
            pool.scoredSet(
                name,
                any(types.key()),
                o -> ranked == null ? plain : plain.ranked(Boolean.parseBoolean(ranked)));
        yield new ElementWriter(
            all -> set.addScores(scores(all)),
            one -> set.add(one.someKey(), one.someScore(), one.someTtl()),
            null);
      }
      case "table" -> {
        PersistentTable<Object, Object, Object> table =
            pool.table(name, any(types.row()), any(types.key()), any(types.value()), o -> plain);
        yield new ElementWriter(
            all -> table.putAll(records(all)),
            one -> table.put(one.someRow(), one.someKey(), one.someValue(), one.someTtl()),
            null);
      }
      case "value" -> {
        PersistentValue<Object> value = pool.value(name, any(types.value()), o -> plain);
        yield new ElementWriter(
            all -> all.forEach(one -> value.set(one.someValue())),
            one -> value.set(one.someValue(), one.someTtl()),
            null);
      }
      case "counter" -> {
        PersistentCounter counter = pool.counter(name, o -> plain);
        yield new ElementWriter(
            all -> all.forEach(one -> counter.set((Long) one.someValue())),
            one -> counter.set((Long) one.someValue(), one.someTtl()),
            null);
      }
      default -> {
        PersistentDeque<Object> deque = pool.deque(name, any(types.value()), o -> plain);
        yield new ElementWriter(
            all -> deque.addAll(all.stream().map(Item::someValue).toList()),
            one -> {
              throw new IllegalArgumentException("An element of a deque has no expiry.");
            },
            deque::clear);
      }
    };
  }

  @SuppressWarnings("unchecked") // only objects of the type are written
  private static TypeRef<Object> any(@Nullable TypeRef<?> type) {
    return (TypeRef<Object>) Objects.requireNonNull(type);
  }

  private static Map<Object, Object> pairs(List<Item> items) {
    Map<Object, Object> pairs = new LinkedHashMap<>();
    items.forEach(item -> pairs.put(item.someKey(), item.someValue()));
    return pairs;
  }

  private static List<Object> keys(List<Item> items) {
    return items.stream().map(Item::someKey).toList();
  }

  private static Map<Object, Double> scores(List<Item> items) {
    Map<Object, Double> scores = new LinkedHashMap<>();
    items.forEach(item -> scores.put(item.someKey(), item.someScore()));
    return scores;
  }

  private static List<TableRecord<Object, Object, Object>> records(List<Item> items) {
    List<TableRecord<Object, Object, Object>> records = new ArrayList<>();
    items.forEach(
        item -> records.add(new TableRecord<>(item.someRow(), item.someKey(), item.someValue())));
    return records;
  }
}

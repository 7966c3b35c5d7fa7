package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A sorted set with expiring elements and its model: a {@code ConcurrentSkipListSet} of the JDK,
 * and the expiries beside it. Operations go through views, and views of views.
 */
final class SortedSetWorld implements ModelCheck.World {
  private static final List<String> ELEMENTS =
      List.of("", "\0", "\0\0", "a", "a\0", "ab", "b", "\u00ff", "\ud83d\ude00", "\uffff");

  private final StoreUnderTest store;
  private final NavigableSet<String> model = new ConcurrentSkipListSet<>();
  private final Map<String, Long> expiries = new HashMap<>();
  private long wholeExpiry = Expiry.NEVER;
  private PersistentSortedSet<String> set;

  SortedSetWorld(StoreUnderTest store) {
    this.store = store;
    this.set = open(store.pool());
  }

  private static PersistentSortedSet<String> open(Rockpool pool) {
    return pool.sortedSet("model", String.class);
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    String element = element(random);
    List<String> some = random.ints(random.nextInt(5)).mapToObj(i -> element(random)).toList();
    long millis = random.nextInt(12);
    Duration ttl = Duration.ofMillis(millis);
    int operation = random.nextInt(17);
    log.accept("operation " + operation + " " + element + " " + some + " " + millis);
    switch (operation) {
      case 0 -> {
        boolean added = !model.contains(element) && millis > 0;
        assertThat(set.add(element, ttl)).isEqualTo(added);
        model.add(element);
        expire(element, millis);
      }
      case 1 -> {
        assertThat(set.expireAfter(element, ttl)).isEqualTo(model.contains(element));
        expire(element, millis);
      }
      case 2 -> {
        assertThat(set.persist(element)).isEqualTo(model.contains(element));
        expiries.remove(element);
      }
      case 3 -> assertThat(set.addAll(some)).isEqualTo(model.addAll(some));
      case 4 -> assertThat(set.removeAll(some)).isEqualTo(model.removeAll(some));
      case 5 -> {
        store.clock.advanceMillis(millis);
        expiries.forEach(
            (key, expiry) -> {
              if (expiry <= store.clock.millis()) {
                model.remove(key);
              }
            });
        expireWhole();
      }
      case 6 -> takeOne(millis > 5);
      case 7 -> rare(random.nextInt(8), millis);
      case 8 -> {
        List<String> expected =
            model.tailSet(element, false).descendingSet().stream().limit(millis).toList();
        Range<String> range = Range.greaterThan(element).reversed().limit(millis);
        assertThat(set.read(range)).isEqualTo(expected);
      }
      case 9 -> combine(new TreeSet<>(some), random.nextInt(3));
      default -> onView(random, log);
    }
    expiries.keySet().retainAll(model);
    compare(set, model);
    assertThat(set).isEqualTo(model);
  }

  private static String element(Random random) {
    return ELEMENTS.get(random.nextInt(ELEMENTS.size()));
  }

  private void expire(String element, long ttlMillis) {
    if (ttlMillis == 0) {
      model.remove(element);
    } else if (model.contains(element)) {
      expiries.put(element, store.clock.millis() + ttlMillis);
    }
  }

  private void takeOne(boolean removing) {
    String taken = removing ? set.removeRandom() : set.randomElement();
    if (model.isEmpty()) {
      assertThat(taken).isNull();
    } else {
      assertThat(model).contains(taken);
      if (removing) {
        model.remove(taken);
      }
    }
  }

  /** Combines the set with another, as a stream and into a third set. */
  private void combine(Set<String> other, int how) {
    PersistentSortedSet<String> target = store.pool().sortedSet("target", String.class);
    Set<String> expected = new TreeSet<>(model);
    List<String> combined;
    long stored;
    switch (how) {
      case 0 -> {
        expected.retainAll(other);
        combined = set.intersection(other).toList();
        stored = set.storeIntersectionInto(target, other);
      }
      case 1 -> {
        expected.addAll(other);
        combined = set.union(other).toList();
        stored = set.storeUnionInto(target, other);
      }
      default -> {
        expected.removeAll(other);
        combined = set.difference(other).toList();
        stored = set.storeDifferenceInto(target, other);
      }
    }
    assertThat(combined).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(stored).isEqualTo(expected.size());
    assertThat(target).containsExactlyElementsOf(expected);
  }

  /** Forgets everything once the set as a whole has expired. */
  private void expireWhole() {
    if (wholeExpiry <= store.clock.millis()) {
      model.clear();
      wholeExpiry = Expiry.NEVER;
    }
  }

  private void rare(int operation, long millis) {
    switch (operation) {
      case 0 -> {
        set.clear();
        model.clear();
      }
      case 1 -> set = open(store.reopen());
      case 2 -> set = open(store.crash());
      case 3 -> {
        set.clearAfter(Duration.ofMillis(millis));
        wholeExpiry = store.clock.millis() + millis;
        expireWhole();
      }
      case 4 -> {
        assertThat(store.pool().names().drop("model")).isTrue();
        set = open(store.pool());
        model.clear();
        wholeExpiry = Expiry.NEVER;
      }
      case 5 -> {
        store.pool().reclaim();
        assertThat(set).hasSize(model.size());
      }
      default -> {}
    }
  }

  private void onView(Random random, Consumer<String> log) {
    NavigableSet<String> view = set;
    NavigableSet<String> expected = model;
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      Function<NavigableSet<String>, NavigableSet<String>> narrow = narrowing(random, log);
      NavigableSet<String> narrowed = narrowed(narrow, view);
      expected = narrowed(narrow, expected);
      assertThat(narrowed == null).isEqualTo(expected == null);
      if (narrowed == null || expected == null) {
        return;
      }
      view = narrowed;
    }
    String element = element(random);
    int operation = random.nextInt(13);
    log.accept("on the view " + operation + " " + element);
    Function<NavigableSet<String>, Object> function = operation(operation, element);
    assertThat(outcome(function, view)).isEqualTo(outcome(function, expected));
    compare(view, expected);
  }

  private static NavigableSet<String> narrowed(
      Function<NavigableSet<String>, NavigableSet<String>> narrow, NavigableSet<String> set) {
    try {
      return narrow.apply(set);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Function<NavigableSet<String>, NavigableSet<String>> narrowing(
      Random random, Consumer<String> log) {
    String from = element(random);
    String to = element(random);
    boolean inclusive = random.nextBoolean();
    int what = random.nextInt(5);
    log.accept("view " + what + " " + from + " " + to + " " + inclusive);
    return switch (what) {
      case 0 -> NavigableSet::descendingSet;
      case 1 -> view -> view.headSet(to, inclusive);
      case 2 -> view -> view.tailSet(from, inclusive);
      case 3 -> view -> (NavigableSet<String>) view.subSet(from, to);
      default -> view -> view.subSet(from, inclusive, to, true);
    };
  }

  private static Function<NavigableSet<String>, Object> operation(int operation, String element) {
    return switch (operation) {
      case 0, 1, 2 -> view -> view.add(element);
      case 3 -> view -> view.remove(element);
      case 4 -> view -> view.contains(element);
      case 5 -> NavigableSet::first;
      case 6 -> NavigableSet::last;
      case 7 -> view -> view.lower(element) + " " + view.floor(element);
      case 8 -> view -> view.higher(element) + " " + view.ceiling(element);
      case 9 -> view -> String.valueOf(view.pollFirst());
      case 10 -> view -> String.valueOf(view.pollLast());
      case 11 -> view -> view.removeIf(each -> each.compareTo(element) > 0);
      default -> view -> new ArrayList<>(List.of(view.descendingIterator().hasNext()));
    };
  }

  private static Object outcome(
      Function<NavigableSet<String>, Object> function, NavigableSet<String> set) {
    try {
      return function.apply(set);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return e.getClass();
    }
  }

  private static void compare(NavigableSet<String> set, NavigableSet<String> model) {
    assertThat(List.copyOf(set)).isEqualTo(List.copyOf(model));
    assertThat(List.copyOf(set.descendingSet())).isEqualTo(List.copyOf(model.descendingSet()));
    assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
  }

  @Override
  public void close() {
    store.close();
  }
}

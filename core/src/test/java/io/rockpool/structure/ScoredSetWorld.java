package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.codec.TypeRef;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A scored set with expiring elements, and a model of what Redis' sorted set does. */
final class ScoredSetWorld implements ModelCheck.World {
  private static final int ELEMENTS = 700;
  private static final double[] SCORES = {
    Double.NEGATIVE_INFINITY,
    -1e300,
    -2,
    -Double.MIN_VALUE,
    0,
    1,
    1.5,
    1e300,
    Double.POSITIVE_INFINITY
  };

  private final StoreUnderTest store;
  private final StructureOptions options;
  private final Map<Integer, Entry> model = new HashMap<>();
  private PersistentScoredSet<Integer> set;
  private Random random = new Random(0);

  /** When all of it ends. */
  private long endMillis = Long.MAX_VALUE;

  private record Entry(double score, long expiryMillis) {}

  ScoredSetWorld(StoreUnderTest store, boolean ranked) {
    this.store = store;
    this.options = StructureOptions.defaults().ranked(ranked);
    this.set = open();
  }

  /** Adds elements whose score is their rank, in random order. */
  static void addAll(PersistentScoredSet<Integer> set, int size) {
    List<Integer> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(i);
    }
    Collections.shuffle(elements, new Random(1));
    Map<Integer, Double> scores = new LinkedHashMap<>();
    elements.forEach(element -> scores.put(element, (double) element));
    set.addScores(scores);
  }

  private PersistentScoredSet<Integer> open() {
    return store.pool().scoredSet("model", TypeRef.of(Integer.class), o -> options);
  }

  @Override
  public void step(Random drawn, Consumer<String> log) {
    random = drawn;
    int choice = random.nextInt(100);
    int element = random.nextInt(ELEMENTS);
    double score = score();
    log.accept("operation " + choice + ", element " + element + ", score " + score);
    if (choice < 55) {
      change(choice, element, score);
    } else if (choice < 82) {
      ask(choice, element);
    } else if (choice < 90) {
      remove(random.nextInt(6), element);
    } else if (choice < 95) {
      store.clock.advanceMillis(random.nextInt(40));
    } else if (choice < 98) {
      checkAll();
    } else {
      begin(random.nextInt(10));
    }
  }

  /** Clears the set, lets it end, or opens the store again. */
  private void begin(int choice) {
    if (choice == 0) {
      live().clear();
      set.clear();
      return;
    }
    if (choice == 1) {
      live();
      int ttl = random.nextInt(100);
      set.clearAfter(Duration.ofMillis(ttl));
      endMillis = store.clock.millis() + ttl;
      return;
    }
    if (choice < 4) {
      store.pool().reclaim();
      checkAll();
      return;
    }
    if (choice < 7) {
      store.reopen();
    } else {
      store.crash();
    }
    set = open();
    checkAll();
  }

  @Override
  public void close() {
    store.close();
  }

  private void change(int choice, int element, double score) {
    Entry before = live().get(element);
    long now = store.clock.millis();
    if (choice < 25) {
      assertThat(set.add(element, score)).isEqualTo(before == null);
      model.put(element, new Entry(score, Long.MAX_VALUE));
    } else if (choice < 32) {
      int ttl = 1 + random.nextInt(300);
      assertThat(set.add(element, score, Duration.ofMillis(ttl))).isEqualTo(before == null);
      model.put(element, new Entry(score, now + ttl));
    } else if (choice < 38) {
      ScoreCondition[] all = ScoreCondition.values();
      ScoreCondition condition = all[random.nextInt(all.length)];
      set.add(element, score, condition);
      if (condition.allows(before == null ? null : before.score(), score)) {
        model.put(element, moved(before, score));
      }
    } else if (choice < 41) {
      ScoreCondition[] all = ScoreCondition.values();
      ScoreCondition condition = all[random.nextInt(all.length)];
      double by = random.nextInt(7) - 3;
      double sum = before == null ? by : before.score() + by;
      boolean allowed = condition.allows(before == null ? null : before.score(), sum);
      assertThat(set.incrementScore(element, by, condition))
          .isEqualTo(allowed ? OptionalDouble.of(sum) : OptionalDouble.empty());
      if (allowed) {
        model.put(element, moved(before, sum));
      }
    } else if (choice < 44) {
      double by = random.nextInt(7) - 3;
      double expected = before == null ? by : before.score() + by;
      assertThat(set.incrementScore(element, by)).isEqualTo(expected);
      model.put(element, moved(before, expected));
    } else if (choice < 48) {
      int ttl = random.nextInt(200);
      assertThat(set.expireAfter(element, Duration.ofMillis(ttl))).isEqualTo(before != null);
      if (before != null) {
        model.put(element, new Entry(before.score(), now + ttl));
      }
    } else if (choice < 50) {
      assertThat(set.persist(element)).isEqualTo(before != null);
      if (before != null) {
        model.put(element, new Entry(before.score(), Long.MAX_VALUE));
      }
    } else if (choice == 50) {
      List<Integer> many = many();
      assertThat(set.addAll(many)).isEqualTo(!model.keySet().containsAll(many));
      many.forEach(e -> model.putIfAbsent(e, new Entry(0, Long.MAX_VALUE)));
    } else if (choice == 51) {
      List<Integer> many = many();
      assertThat(set.removeAll(many)).isEqualTo(model.keySet().removeAll(many));
    } else {
      Map<Integer, Double> many = new HashMap<>();
      for (int i = 0; i < 60; i++) {
        many.put(random.nextInt(ELEMENTS), score());
      }
      set.addScores(many);
      many.forEach((e, s) -> model.put(e, new Entry(s, Long.MAX_VALUE)));
    }
  }

  private List<Integer> many() {
    return random.ints(60, 0, ELEMENTS).boxed().toList();
  }

  private static Entry moved(@Nullable Entry before, double score) {
    return new Entry(score, before == null ? Long.MAX_VALUE : before.expiryMillis());
  }

  private void ask(int choice, int element) {
    List<ScoredElement<Integer>> sorted = sorted();
    if (choice < 56) {
      askOfScore(sorted, element);
    } else if (choice < 58) {
      askRandom(sorted, random.nextInt(30));
    } else if (choice < 62) {
      Entry entry = live().get(element);
      int rank = entry == null ? -1 : sorted.indexOf(new ScoredElement<>(element, entry.score()));
      assertThat(set.contains(element)).isEqualTo(entry != null);
      assertThat(set.rank(element)).isEqualTo(rank(rank));
      assertThat(set.reverseRank(element))
          .isEqualTo(rank(rank < 0 ? -1 : sorted.size() - 1 - rank));
    } else if (choice < 72) {
      int from = random.nextInt(ELEMENTS);
      int to = from + random.nextInt(20);
      Range<Long> ranks = Range.closedOpen((long) from, (long) to);
      assertThat(set.rangeByRank(ranks)).isEqualTo(part(sorted, from, to));
      int offset = random.nextInt(5);
      int limit = random.nextInt(5);
      assertThat(set.rangeByRank(ranks.offset(offset).limit(limit)))
          .isEqualTo(part(part(sorted, from, to), offset, offset + limit));
    } else {
      Range<Double> range = range();
      sorted.removeIf(e -> !contains(range, e.score()));
      assertThat(set.count(range)).isEqualTo(sorted.size());
      int offset = random.nextInt(30);
      int limit = random.nextInt(30);
      Range<Double> limited = range.offset(offset).limit(limit);
      assertThat(set.range(limited)).isEqualTo(part(sorted, offset, offset + limit));
      assertThat(set.stream(limited)).isEqualTo(part(sorted, offset, offset + limit));
      assertThat(set.count(limited)).isEqualTo(part(sorted, offset, offset + limit).size());
      Collections.reverse(sorted);
      assertThat(set.range(limited.reversed())).isEqualTo(part(sorted, offset, offset + limit));
    }
  }

  /** Ranges of elements among those of equal score. */
  private void askOfScore(List<ScoredElement<Integer>> sorted, int element) {
    double score = score();
    int to = element + random.nextInt(200);
    Range<Integer> range = Ranges.of(element, random.nextBoolean(), to, random.nextBoolean());
    List<ScoredElement<Integer>> found =
        sorted.stream()
            .filter(e -> e.score() == score)
            .filter(e -> range.low().inclusive() ? e.element() >= element : e.element() > element)
            .filter(e -> range.high().inclusive() ? e.element() <= to : e.element() < to)
            .collect(Collectors.toCollection(ArrayList::new));
    assertThat(set.range(score, range)).isEqualTo(found);
    assertThat(set.count(score, range)).isEqualTo(found.size());
    if (random.nextInt(4) == 0) {
      assertThat(set.removeRange(score, range.limit(3))).isEqualTo(Math.min(3, found.size()));
      part(found, 0, 3).forEach(e -> model.remove(e.element()));
      return;
    }
    Collections.reverse(found);
    assertThat(set.range(score, range.reversed().offset(1).limit(2))).isEqualTo(part(found, 1, 3));
  }

  private void askRandom(List<ScoredElement<Integer>> sorted, int count) {
    assertThat(set.randomElements(count))
        .hasSize(Math.min(count, sorted.size()))
        .doesNotHaveDuplicates()
        .isSubsetOf(sorted);
    assertThat(set.randomElementsWithRepeats(count))
        .hasSize(sorted.isEmpty() ? 0 : count)
        .isSubsetOf(sorted);
    assertThat(set.containsAll(model.keySet())).isTrue();
    assertThat(set.containsAll(List.of(-1))).isFalse();
  }

  private void remove(int choice, int element) {
    List<ScoredElement<Integer>> sorted = sorted();
    List<ScoredElement<Integer>> gone = new ArrayList<>();
    switch (choice) {
      case 0 -> assertThat(set.remove(element)).isEqualTo(live().containsKey(element));
      case 1 -> gone.addAll(part(sorted, 0, element % 9));
      case 2 -> {
        Collections.reverse(sorted);
        gone.addAll(part(sorted, 0, element % 9));
      }
      case 3 -> gone.addAll(part(sorted, element, element + 40));
      default -> {
        Range<Double> range = Range.open(element % 3 - 1.0, (double) (element % 3));
        sorted.stream().filter(e -> contains(range, e.score())).forEach(gone::add);
        assertThat(set.removeRange(range)).isEqualTo(gone.size());
      }
    }
    switch (choice) {
      case 0 -> model.remove(element);
      case 1 -> assertThat(set.pollFirst(element % 9)).isEqualTo(gone);
      case 2 -> assertThat(set.pollLast(element % 9)).isEqualTo(gone);
      case 3 -> assertThat(set.removeRangeByRank(ranksFrom(element))).isEqualTo(gone.size());
      default -> {}
    }
    gone.forEach(e -> model.remove(e.element()));
  }

  private void checkAll() {
    List<ScoredElement<Integer>> sorted = sorted();
    assertThat(set.range(Range.all())).isEqualTo(sorted);
    assertThat(set.iterator())
        .toIterable()
        .containsExactlyElementsOf(sorted.stream().map(ScoredElement::element).toList());
    assertThat(set).hasSize(sorted.size());
    ScoredSetRecords.check(store.engine(), set);
  }

  private double score() {
    return random.nextInt(4) == 0
        ? SCORES[random.nextInt(SCORES.length)]
        : random.nextInt(40) / 10.0;
  }

  private static Range<Long> ranksFrom(int element) {
    return Range.closed((long) element, element + 39L);
  }

  private Range<Double> range() {
    double a = score();
    double b = score();
    return Ranges.of(Math.min(a, b), random.nextBoolean(), Math.max(a, b), random.nextBoolean());
  }

  private static boolean contains(Range<Double> range, double score) {
    boolean above =
        range.low().inclusive() ? score >= range.low().key() : score > range.low().key();
    boolean below =
        range.high().inclusive() ? score <= range.high().key() : score < range.high().key();
    return above && below;
  }

  private static OptionalLong rank(int rank) {
    return rank < 0 ? OptionalLong.empty() : OptionalLong.of(rank);
  }

  private static <T> List<T> part(List<T> list, int from, int to) {
    return new ArrayList<>(list.subList(Math.min(from, list.size()), Math.min(to, list.size())));
  }

  private Map<Integer, Entry> live() {
    if (endMillis <= store.clock.millis()) {
      model.clear();
      endMillis = Long.MAX_VALUE;
    }
    model.values().removeIf(entry -> entry.expiryMillis() <= store.clock.millis());
    return model;
  }

  private List<ScoredElement<Integer>> sorted() {
    List<ScoredElement<Integer>> sorted = new ArrayList<>();
    live().forEach((element, entry) -> sorted.add(new ScoredElement<>(element, entry.score())));
    sorted.sort(
        Comparator.<ScoredElement<Integer>>comparingDouble(ScoredElement::score)
            .thenComparing(ScoredElement::element));
    return sorted;
  }
}

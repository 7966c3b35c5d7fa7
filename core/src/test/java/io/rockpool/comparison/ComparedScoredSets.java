package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.Polled;
import io.rockpool.structure.Range;
import io.rockpool.structure.ScoreAggregate;
import io.rockpool.structure.ScoreCondition;
import io.rockpool.structure.ScoredElement;
import io.rockpool.structure.ScoredSetView;
import io.rockpool.structure.WeightedSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@link PersistentScoredSet}s, one of them without ranks, and Redis' sorted sets. */
final class ComparedScoredSets extends ComparedType {
  private static final int SETS = 3;
  private static final int ELEMENTS = 40;
  private static final String PLAIN = "plain";
  private static final String SHORTLY = "0.001";
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final List<PersistentScoredSet<String>> sets = new ArrayList<>();
  private @Nullable PersistentSet<String> plain;

  ComparedScoredSets(RedisClient redis) {
    super(redis);
    changes();
    reads();
    ranges();
    pops();
    combinations();
    stepOutside(this::waiting);
    stepOutside(
        () -> {
          int i = index();
          sets.get(i).clear();
          redis.call("DEL", key(i));
        });
  }

  @Override
  void open(Rockpool pool) {
    sets.clear();
    IntStream.range(0, SETS).forEach(i -> sets.add(pool.scoredSet(key(i), String.class)));
    plain = pool.set(PLAIN, String.class);
  }

  @Override
  List<String> keys() {
    List<String> keys = new ArrayList<>(IntStream.range(0, SETS).mapToObj(i -> key(i)).toList());
    keys.add(PLAIN);
    return keys;
  }

  @Override
  void compare(int index) {
    if (index < SETS) {
      assertThat(sets.get(index).range(Range.all()))
          .isEqualTo(scored("ZRANGE", key(index), 0, -1, "WITHSCORES"));
      assertThat(sets.get(index).count()).isEqualTo(redis.number("ZCARD", key(index)));
    } else {
      assertThat(plain()).containsExactlyInAnyOrderElementsOf(redis.texts("SMEMBERS", PLAIN));
    }
  }

  private PersistentSet<String> plain() {
    return Objects.requireNonNull(plain);
  }

  private static String key(int index) {
    return "zset" + index;
  }

  private int index() {
    return random.nextInt(SETS);
  }

  private String element() {
    return "e" + (10 + random.nextInt(ELEMENTS));
  }

  /** Many elements have equal scores, and sums of the scores are exact. */
  private double score() {
    return random.nextInt(12) / 2.0 - 1;
  }

  private List<String> several() {
    return IntStream.range(0, 1 + random.nextInt(5)).mapToObj(i -> element()).distinct().toList();
  }

  private List<ScoredElement<String>> scored(Object... words) {
    return scored(redis.texts(words));
  }

  /** The elements of a reply in which each is followed by its score. */
  private static List<ScoredElement<String>> scored(List<String> texts) {
    List<ScoredElement<String>> scored = new ArrayList<>();
    for (int i = 0; i < texts.size(); i += 2) {
      scored.add(new ScoredElement<>(texts.get(i), Double.parseDouble(texts.get(i + 1))));
    }
    return scored;
  }

  private void changes() {
    step(
        () -> {
          int i = index();
          String element = element();
          double score = score();
          assertThat(sets.get(i).add(element, score))
              .isEqualTo(redis.number("ZADD", key(i), score, element) > 0);
        });
    step(
        () -> {
          int i = index();
          Map<String, Double> scores = new HashMap<>();
          several().forEach(element -> scores.put(element, score()));
          List<Object> pairs = new ArrayList<>();
          scores.forEach((element, score) -> pairs.addAll(List.of(score, element)));
          sets.get(i).addScores(scores);
          redis.call(words(pairs, "ZADD", key(i)));
        });
    step(
        () -> {
          int i = index();
          String element = element();
          double score = score();
          ScoreCondition condition = condition();
          List<Object> words = flags(condition);
          words.addAll(List.of("CH", score, element));
          boolean wasPresent = sets.get(i).contains(element);
          boolean changed = redis.number(words(words, "ZADD", key(i))) > 0;
          assertThat(sets.get(i).add(element, score, condition))
              .isEqualTo(changed ? added(wasPresent) : PersistentScoredSet.Added.UNCHANGED);
        });
    step(
        () -> {
          int i = index();
          String element = element();
          double by = score() - 1;
          assertThat(sets.get(i).incrementScore(element, by))
              .isEqualTo(Double.parseDouble(redis.text("ZINCRBY", key(i), by, element)));
        });
    step(
        () -> {
          int i = index();
          String element = element();
          double by = score() - 1;
          ScoreCondition condition = condition();
          List<Object> words = flags(condition);
          words.addAll(List.of("INCR", by, element));
          String sum = redis.text(words(words, "ZADD", key(i)));
          assertThat(sets.get(i).incrementScore(element, by, condition)).isEqualTo(number(sum));
        });
    step(
        () -> {
          int i = index();
          List<String> some = several();
          assertThat(sets.get(i).removeAll(some))
              .isEqualTo(redis.number(words(some, "ZREM", key(i))) > 0);
        });
    step(
        () -> {
          String element = element();
          assertThat(plain().add(element)).isEqualTo(redis.number("SADD", PLAIN, element) > 0);
        });
  }

  private static OptionalDouble number(@Nullable String text) {
    return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
  }

  private static PersistentScoredSet.Added added(boolean wasPresent) {
    return wasPresent ? PersistentScoredSet.Added.UPDATED : PersistentScoredSet.Added.ADDED;
  }

  private ScoreCondition condition() {
    ScoreCondition[] all = ScoreCondition.values();
    return all[random.nextInt(all.length)];
  }

  private static List<Object> flags(ScoreCondition condition) {
    return new ArrayList<>(
        switch (condition) {
          case ALWAYS -> List.of();
          case ABSENT -> List.of("NX");
          case PRESENT -> List.of("XX");
          case GREATER -> List.of("GT");
          case LESS -> List.of("LT");
          case PRESENT_AND_GREATER -> List.of("XX", "GT");
          case PRESENT_AND_LESS -> List.of("XX", "LT");
        });
  }

  private void reads() {
    step(
        () -> {
          int i = index();
          String element = element();
          assertThat(sets.get(i).score(element))
              .isEqualTo(number(redis.text("ZSCORE", key(i), element)));
          assertThat(sets.get(i).rank(element)).isEqualTo(rank("ZRANK", key(i), element));
          assertThat(sets.get(i).reverseRank(element)).isEqualTo(rank("ZREVRANK", key(i), element));
        });
    step(
        () -> {
          int i = index();
          List<String> some = several();
          List<String> replies = redis.texts(words(some, "ZMSCORE", key(i)));
          Map<String, Double> expected = new HashMap<>();
          for (int n = 0; n < some.size(); n++) {
            String element = some.get(n);
            number(replies.get(n)).ifPresent(score -> expected.put(element, score));
          }
          assertThat(sets.get(i).scores(some)).isEqualTo(expected);
        });
    step(
        () -> {
          int i = index();
          int count = random.nextInt(ELEMENTS);
          List<ScoredElement<String>> all = sets.get(i).range(Range.all());
          assertThat(all).containsAll(scored("ZRANDMEMBER", key(i), count, "WITHSCORES"));
          assertThat(sets.get(i).randomElements(count))
              .hasSize(redis.texts("ZRANDMEMBER", key(i), count).size())
              .doesNotHaveDuplicates()
              .isSubsetOf(all);
          assertThat(sets.get(i).randomElementsWithRepeats(count))
              .hasSize(redis.texts("ZRANDMEMBER", key(i), -count).size())
              .isSubsetOf(all);
        });
    step(
        () -> {
          int i = index();
          List<String> found = new ArrayList<>();
          String cursor = "0";
          do {
            List<?> page = (List<?>) Objects.requireNonNull(redis.call("ZSCAN", key(i), cursor));
            cursor = (String) page.get(0);
            found.addAll(RedisClient.texts(page.get(1)));
          } while (!cursor.equals("0"));
          assertThat(sets.get(i).stream(Range.all()))
              .containsExactlyInAnyOrderElementsOf(scored(found));
        });
  }

  private OptionalLong rank(Object... words) {
    Object rank = redis.call(words);
    return rank == null ? OptionalLong.empty() : OptionalLong.of((Long) rank);
  }

  /** A range for both sides. */
  private record Bounds<K>(Range<K> range, String low, String high) {}

  private Bounds<Double> scores() {
    double a = score();
    double b = a + random.nextInt(6) / 2.0;
    return switch (random.nextInt(5)) {
      case 0 -> new Bounds<>(Range.all(), "-inf", "+inf");
      case 1 -> new Bounds<>(Range.closed(a, b), "" + a, "" + b);
      case 2 -> new Bounds<>(Range.openClosed(a, b), "(" + a, "" + b);
      case 3 -> new Bounds<>(Range.closedOpen(a, b), "" + a, "(" + b);
      default -> new Bounds<>(Range.greaterThan(a), "(" + a, "+inf");
    };
  }

  private Bounds<String> elements() {
    int first = random.nextInt(ELEMENTS);
    String a = "e" + (10 + first);
    String b = "e" + (10 + first + random.nextInt(20));
    return switch (random.nextInt(5)) {
      case 0 -> new Bounds<>(Range.all(), "-", "+");
      case 1 -> new Bounds<>(Range.closed(a, b), "[" + a, "[" + b);
      case 2 -> new Bounds<>(Range.open(a, b + "x"), "(" + a, "(" + b + "x");
      case 3 -> new Bounds<>(Range.prefix("e2"), "[e2", "(e3");
      default -> new Bounds<>(Range.lessThan(b), "-", "(" + b);
    };
  }

  private void ranges() {
    step(
        () -> {
          int i = index();
          Bounds<Double> b = scores();
          int offset = random.nextInt(3);
          int limit = random.nextInt(9);
          Range<Double> part = b.range().offset(offset).limit(limit);
          String key = key(i);
          assertThat(sets.get(i).range(b.range()))
              .isEqualTo(scored("ZRANGEBYSCORE", key, b.low(), b.high(), "WITHSCORES"));
          assertThat(sets.get(i).range(part.reversed()))
              .isEqualTo(
                  scored(
                      "ZREVRANGEBYSCORE",
                      key,
                      b.high(),
                      b.low(),
                      "WITHSCORES",
                      "LIMIT",
                      offset,
                      limit));
          assertThat(sets.get(i).stream(part).map(ScoredElement::element))
              .containsExactlyElementsOf(
                  redis.texts("ZRANGE", key, b.low(), b.high(), "BYSCORE", "LIMIT", offset, limit));
          assertThat(sets.get(i).count(b.range()))
              .isEqualTo(redis.number("ZCOUNT", key, b.low(), b.high()));
        });
    step(
        () -> {
          int i = index();
          long from = random.nextInt(12);
          long last = from + random.nextInt(12);
          assertThat(sets.get(i).rangeByRank(Range.closed(from, last)))
              .isEqualTo(scored("ZRANGE", key(i), from, last, "WITHSCORES"));
          assertThat(sets.get(i).last((int) last))
              .isEqualTo(
                  last == 0 ? List.of() : scored("ZREVRANGE", key(i), 0, last - 1, "WITHSCORES"));
        });
    step(
        () -> {
          int i = index();
          Bounds<Double> b = scores();
          assertThat(sets.get(i).removeRange(b.range().limit(1)))
              .isEqualTo(Math.min(1, redis.number("ZCOUNT", key(i), b.low(), b.high())));
          List<String> first =
              redis.texts("ZRANGE", key(i), b.low(), b.high(), "BYSCORE", "LIMIT", 0, 1);
          first.forEach(element -> redis.call("ZREM", key(i), element));
        });
    step(
        () -> {
          int i = index();
          double score = score();
          assertThat(sets.get(i).removeRange(Range.closed(score, score + 0.5)))
              .isEqualTo(redis.number("ZREMRANGEBYSCORE", key(i), score, score + 0.5));
          long rank = random.nextInt(20);
          assertThat(sets.get(i).removeRangeByRank(Range.closed(rank, rank + 2)))
              .isEqualTo(redis.number("ZREMRANGEBYRANK", key(i), rank, rank + 2));
        });
    step(this::ofOneScore);
    step(this::storedRanges);
  }

  /** Redis defines these commands where all scores are equal, as in a temporary copy. */
  private void ofOneScore() {
    int i = index();
    double score = score();
    String words = "words";
    redis.call("ZRANGESTORE", words, key(i), score, score, "BYSCORE");
    Bounds<String> b = elements();
    PersistentScoredSet<String> set = sets.get(i);
    assertThat(set.range(score, b.range()).stream().map(ScoredElement::element))
        .containsExactlyElementsOf(redis.texts("ZRANGEBYLEX", words, b.low(), b.high()));
    assertThat(set.range(score, b.range().reversed()).stream().map(ScoredElement::element))
        .containsExactlyElementsOf(redis.texts("ZREVRANGEBYLEX", words, b.high(), b.low()));
    assertThat(set.range(score, b.range().offset(1).limit(2)).stream().map(ScoredElement::element))
        .containsExactlyElementsOf(
            redis.texts("ZRANGE", words, b.low(), b.high(), "BYLEX", "LIMIT", 1, 2));
    assertThat(set.count(score, b.range()))
        .isEqualTo(redis.number("ZLEXCOUNT", words, b.low(), b.high()));
    List<String> removed = redis.texts("ZRANGEBYLEX", words, b.low(), b.high());
    assertThat(set.removeRange(score, b.range()))
        .isEqualTo(redis.number("ZREMRANGEBYLEX", words, b.low(), b.high()));
    removed.forEach(element -> redis.call("ZREM", key(i), element));
    redis.call("DEL", words);
  }

  private void storedRanges() {
    Bounds<Double> b = scores();
    if (random.nextBoolean()) {
      assertThat(sets.get(2).setToRange(sets.get(0), b.range().reversed().limit(9)))
          .isEqualTo(
              redis.number(
                  "ZRANGESTORE",
                  key(2),
                  key(0),
                  b.high(),
                  b.low(),
                  "BYSCORE",
                  "REV",
                  "LIMIT",
                  0,
                  9));
    } else {
      assertThat(sets.get(2).setToRangeByRank(sets.get(1), Range.closed(3L, 20L)))
          .isEqualTo(redis.number("ZRANGESTORE", key(2), key(1), 3, 20));
    }
  }

  private void pops() {
    step(
        () -> {
          int i = index();
          int count = random.nextInt(4);
          assertThat(sets.get(i).pollFirst(count)).isEqualTo(scored("ZPOPMIN", key(i), count));
          assertThat(sets.get(i).pollLast(count)).isEqualTo(scored("ZPOPMAX", key(i), count));
        });
    step(
        () -> {
          int count = 1 + random.nextInt(3);
          checkPolled(
              PersistentScoredSet.pollFirstOf(sets, count),
              redis.call("ZMPOP", SETS, key(0), key(1), key(2), "MIN", "COUNT", count));
          checkPolled(
              PersistentScoredSet.pollLastOf(sets, count),
              redis.call("ZMPOP", SETS, key(0), key(1), key(2), "MAX", "COUNT", count));
        });
  }

  private static void checkPolled(
      Optional<Polled<PersistentScoredSet<String>, ScoredElement<String>>> polled,
      @Nullable Object reply) {
    if (reply == null) {
      assertThat(polled).isEmpty();
      return;
    }
    List<?> list = (List<?>) reply;
    List<String> pairs = new ArrayList<>();
    ((List<?>) list.get(1)).forEach(pair -> pairs.addAll(RedisClient.texts(pair)));
    assertThat(polled.orElseThrow().from().name()).isEqualTo(list.get(0));
    assertThat(polled.orElseThrow().elements()).isEqualTo(scored(pairs));
  }

  private void waiting() {
    int i = index();
    try {
      switch (random.nextInt(3)) {
        case 0 ->
            checkOne(sets.get(i).pollFirst(MILLISECOND), redis.texts("BZPOPMIN", key(i), SHORTLY));
        case 1 ->
            checkOne(sets.get(i).pollLast(MILLISECOND), redis.texts("BZPOPMAX", key(i), SHORTLY));
        default ->
            checkPolled(
                PersistentScoredSet.pollLastOf(sets, 2, MILLISECOND),
                redis.call("BZMPOP", SHORTLY, SETS, key(0), key(1), key(2), "MAX", "COUNT", 2));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkOne(@Nullable ScoredElement<String> polled, List<String> reply) {
    assertThat(polled == null ? List.of() : List.of(polled))
        .isEqualTo(scored(reply.subList(Math.min(1, reply.size()), reply.size())));
  }

  private void combinations() {
    step(
        () -> {
          double weight = score();
          ScoreAggregate aggregate = aggregate();
          List<WeightedSet<String>> sources = sources(weight);
          assertThat(ScoredSetView.union(sources, aggregate))
              .containsExactlyInAnyOrderElementsOf(
                  scored(words(options(weight, aggregate), "ZUNION")));
          assertThat(ScoredSetView.intersection(sources, aggregate))
              .containsExactlyInAnyOrderElementsOf(
                  scored(words(options(weight, aggregate), "ZINTER")));
          assertThat(ScoredSetView.difference(sets.get(0), List.of(sets.get(1), plain())))
              .containsExactlyInAnyOrderElementsOf(
                  scored("ZDIFF", 3, key(0), key(1), PLAIN, "WITHSCORES"));
        });
    step(
        () -> {
          int limit = 1 + random.nextInt(5);
          List<Set<String>> sources = List.of(sets.get(0), sets.get(1), plain());
          assertThat(ScoredSetView.intersectionSize(sources, limit))
              .isEqualTo(redis.number("ZINTERCARD", 3, key(0), key(1), PLAIN, "LIMIT", limit));
        });
    step(
        () -> {
          double weight = score();
          ScoreAggregate aggregate = aggregate();
          List<Object> options = options(weight, aggregate);
          options.remove("WITHSCORES");
          PersistentScoredSet<String> target = sets.get(2);
          switch (random.nextInt(3)) {
            case 0 ->
                assertThat(target.setToUnion(sources(weight), aggregate))
                    .isEqualTo(redis.number(words(options, "ZUNIONSTORE", key(2))));
            case 1 ->
                assertThat(target.setToIntersection(sources(weight), aggregate))
                    .isEqualTo(redis.number(words(options, "ZINTERSTORE", key(2))));
            default ->
                assertThat(target.setToDifference(sets.get(0), List.of(plain())))
                    .isEqualTo(redis.number("ZDIFFSTORE", key(2), 2, key(0), PLAIN));
          }
        });
  }

  private ScoreAggregate aggregate() {
    ScoreAggregate[] all = ScoreAggregate.values();
    return all[random.nextInt(all.length)];
  }

  private List<WeightedSet<String>> sources(double weight) {
    return List.of(
        new WeightedSet<>(sets.get(0), weight),
        WeightedSet.of(sets.get(1)),
        new WeightedSet<>(plain(), 0.5));
  }

  private static List<Object> options(double weight, ScoreAggregate aggregate) {
    return new ArrayList<>(
        List.of(
            3,
            key(0),
            key(1),
            PLAIN,
            "WEIGHTS",
            weight,
            1,
            0.5,
            "AGGREGATE",
            aggregate,
            "WITHSCORES"));
  }
}

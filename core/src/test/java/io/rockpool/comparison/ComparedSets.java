package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** {@link PersistentSet}s and Redis' sets. */
final class ComparedSets extends ComparedType {
  private static final int SETS = 3;
  private static final int ELEMENTS = 25;

  private final List<PersistentSet<String>> sets = new ArrayList<>();

  ComparedSets(RedisClient redis) {
    super(redis);
    elements();
    random();
    combinations();
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
    IntStream.range(0, SETS).forEach(i -> sets.add(pool.set(key(i), String.class)));
  }

  @Override
  List<String> keys() {
    return IntStream.range(0, SETS).mapToObj(ComparedSets::key).toList();
  }

  @Override
  void compare(int index) {
    List<String> members = redis.texts("SMEMBERS", key(index));
    assertThat(sets.get(index)).containsExactlyInAnyOrderElementsOf(members);
    assertThat(sets.get(index).count()).isEqualTo(redis.number("SCARD", key(index)));
  }

  private static String key(int index) {
    return "set" + index;
  }

  private int index() {
    return random.nextInt(SETS);
  }

  private String element() {
    return "e" + random.nextInt(ELEMENTS);
  }

  private List<String> several() {
    return IntStream.range(0, 1 + random.nextInt(5)).mapToObj(i -> element()).distinct().toList();
  }

  private void elements() {
    step(
        () -> {
          int i = index();
          String element = element();
          assertThat(sets.get(i).add(element)).isEqualTo(redis.number("SADD", key(i), element) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> some = several();
          assertThat(sets.get(i).addAll(some))
              .isEqualTo(redis.number(words(some, "SADD", key(i))) > 0);
        });
    step(
        () -> {
          int i = index();
          String element = element();
          assertThat(sets.get(i).remove(element))
              .isEqualTo(redis.number("SREM", key(i), element) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> some = several();
          assertThat(sets.get(i).removeAll(some))
              .isEqualTo(redis.number(words(some, "SREM", key(i))) > 0);
        });
    step(
        () -> {
          int i = index();
          String element = element();
          assertThat(sets.get(i).contains(element))
              .isEqualTo(redis.number("SISMEMBER", key(i), element) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> some = several();
          List<?> flags =
              (List<?>) Objects.requireNonNull(redis.call(words(some, "SMISMEMBER", key(i))));
          assertThat(sets.get(i).containsAll(some)).isEqualTo(!flags.contains(0L));
        });
    step(
        () -> {
          int from = index();
          int to = index();
          String element = element();
          assertThat(sets.get(from).moveTo(sets.get(to), element))
              .isEqualTo(redis.number("SMOVE", key(from), key(to), element) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> found = new ArrayList<>();
          String cursor = "0";
          do {
            List<?> page = (List<?>) Objects.requireNonNull(redis.call("SSCAN", key(i), cursor));
            cursor = (String) page.get(0);
            found.addAll(RedisClient.texts(page.get(1)));
          } while (!cursor.equals("0"));
          assertThat(sets.get(i).stream()).containsExactlyInAnyOrderElementsOf(found);
        });
  }

  /** Both sides draw; what one pops, the other removes. */
  private void random() {
    step(
        () -> {
          int i = index();
          int count = random.nextInt(6);
          List<String> popped = sets.get(i).removeRandom(count);
          if (!popped.isEmpty()) {
            assertThat(redis.number(words(popped, "SREM", key(i)))).isEqualTo(popped.size());
          }
          assertThat(popped.size() == count || sets.get(i).isEmpty()).isTrue();
        });
    step(
        () -> {
          int i = index();
          int count = random.nextInt(6);
          List<String> popped = redis.texts("SPOP", key(i), count);
          assertThat(sets.get(i).containsAll(popped)).isTrue();
          sets.get(i).removeAll(popped);
          assertThat(sets.get(i).count()).isEqualTo(redis.number("SCARD", key(i)));
        });
    step(
        () -> {
          int i = index();
          int count = random.nextInt(ELEMENTS);
          List<String> drawn = redis.texts("SRANDMEMBER", key(i), count);
          assertThat(sets.get(i).containsAll(drawn)).isTrue();
          assertThat(sets.get(i).randomElements(count))
              .hasSameSizeAs(drawn)
              .doesNotHaveDuplicates()
              .isSubsetOf(sets.get(i));
          assertThat(sets.get(i).randomElementsWithRepeats(count))
              .hasSameSizeAs(redis.texts("SRANDMEMBER", key(i), -count))
              .isSubsetOf(sets.get(i));
        });
  }

  private void combinations() {
    step(
        () -> {
          assertThat(sets.get(0).intersection(others(0)))
              .containsExactlyInAnyOrderElementsOf(redis.texts(words(keys(), "SINTER")));
          assertThat(sets.get(1).union(others(1)))
              .containsExactlyInAnyOrderElementsOf(redis.texts(words(keys(), "SUNION")));
          assertThat(sets.get(0).difference(others(0)))
              .containsExactlyInAnyOrderElementsOf(redis.texts(words(keys(), "SDIFF")));
        });
    step(
        () -> {
          int limit = 1 + random.nextInt(4);
          assertThat(sets.get(2).intersectionSize(others(2), limit))
              .isEqualTo(redis.number("SINTERCARD", SETS, key(0), key(1), key(2), "LIMIT", limit));
        });
    step(
        () -> {
          assertThat(sets.get(1).storeIntersectionInto(sets.get(0), sets.get(2)))
              .isEqualTo(redis.number("SINTERSTORE", key(0), key(1), key(2)));
        });
    step(
        () -> {
          assertThat(sets.get(0).storeUnionInto(sets.get(1), List.of(sets.get(2))))
              .isEqualTo(redis.number("SUNIONSTORE", key(1), key(0), key(2)));
        });
    step(
        () -> {
          assertThat(sets.get(0).storeDifferenceInto(sets.get(2), sets.get(1)))
              .isEqualTo(redis.number("SDIFFSTORE", key(2), key(0), key(1)));
        });
  }

  private List<Set<String>> others(int index) {
    List<Set<String>> others = new ArrayList<>(sets);
    others.remove(index);
    return others;
  }
}

package io.rockpool.comparison;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.structure.DequeEnd;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.Polled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@link PersistentDeque}s and Redis' lists. */
final class ComparedDeques extends ComparedType {
  private static final int DEQUES = 2;
  private static final int ELEMENTS = 6;

  /** The timeout of a blocking command, which nothing ends, in seconds and as a duration. */
  private static final String SHORTLY = "0.001";

  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final List<PersistentDeque<String>> deques = new ArrayList<>();

  ComparedDeques(RedisClient redis) {
    super(redis);
    ends();
    indices();
    occurrences();
    moves();
    stepOutside(this::waiting);
    stepOutside(
        () -> {
          int i = index();
          deques.get(i).clear();
          redis.call("DEL", key(i));
        });
  }

  @Override
  void open(Rockpool pool) {
    deques.clear();
    IntStream.range(0, DEQUES).forEach(i -> deques.add(pool.deque(key(i), String.class)));
  }

  @Override
  List<String> keys() {
    return IntStream.range(0, DEQUES).mapToObj(ComparedDeques::key).toList();
  }

  @Override
  void compare(int index) {
    List<String> all = redis.texts("LRANGE", key(index), 0, -1);
    assertThat(deques.get(index)).containsExactlyElementsOf(all);
    assertThat(deques.get(index).count()).isEqualTo(redis.number("LLEN", key(index)));
  }

  private static String key(int index) {
    return "list" + index;
  }

  private int index() {
    return random.nextInt(DEQUES);
  }

  private String element() {
    return "n" + random.nextInt(ELEMENTS);
  }

  private DequeEnd end() {
    return random.nextBoolean() ? FIRST : LAST;
  }

  private static String side(DequeEnd end) {
    return end == FIRST ? "LEFT" : "RIGHT";
  }

  /** A place in or just outside a deque, from either end. */
  private int place(int i) {
    int size = deques.get(i).size();
    return random.nextInt(2 * size + 3) - size - 1;
  }

  private void ends() {
    step(
        () -> {
          int i = index();
          String element = element();
          deques.get(i).addFirst(element);
          redis.call("LPUSH", key(i), element);
        });
    step(
        () -> {
          int i = index();
          List<String> all = IntStream.range(0, 4).mapToObj(n -> element()).toList();
          deques.get(i).addAll(all);
          redis.call(words(all, "RPUSH", key(i)));
        });
    step(
        () -> {
          int i = index();
          String element = element();
          boolean isEmpty = redis.number("LPUSHX", key(i), element) == 0;
          assertThat(deques.get(i).offerFirstIfNotEmpty(element)).isEqualTo(!isEmpty);
        });
    step(
        () -> {
          int i = index();
          String element = element();
          boolean isEmpty = redis.number("RPUSHX", key(i), element) == 0;
          assertThat(deques.get(i).offerLastIfNotEmpty(element)).isEqualTo(!isEmpty);
        });
    step(
        () -> {
          int i = index();
          assertThat(deques.get(i).pollFirst()).isEqualTo(redis.text("LPOP", key(i)));
          assertThat(deques.get(i).pollLast()).isEqualTo(redis.text("RPOP", key(i)));
        });
    step(
        () -> {
          int i = index();
          int count = random.nextInt(4);
          assertThat(deques.get(i).pollFirst(count)).isEqualTo(redis.texts("LPOP", key(i), count));
          assertThat(deques.get(i).pollLast(count)).isEqualTo(redis.texts("RPOP", key(i), count));
        });
  }

  private void indices() {
    step(
        () -> {
          int i = index();
          int place = place(i);
          String element = redis.text("LINDEX", key(i), place);
          if (element == null) {
            assertThatThrownBy(() -> deques.get(i).get(place))
                .isInstanceOf(IndexOutOfBoundsException.class);
          } else {
            assertThat(deques.get(i).get(place)).isEqualTo(element);
          }
        });
    step(
        () -> {
          int i = index();
          int place = place(i);
          String element = element();
          String before = redis.text("LINDEX", key(i), place);
          if (before != null) {
            redis.call("LSET", key(i), place, element);
            assertThat(deques.get(i).set(place, element)).isEqualTo(before);
          }
        });
    step(
        () -> {
          int i = index();
          int from = place(i);
          int last = place(i);
          assertThat(deques.get(i).range(from, behind(last)))
              .isEqualTo(redis.texts("LRANGE", key(i), from, last));
        });
    step(
        () -> {
          int i = index();
          int from = random.nextInt(3);
          int last = -1 - random.nextInt(3);
          long before = redis.number("LLEN", key(i));
          redis.call("LTRIM", key(i), from, last);
          assertThat(deques.get(i).trim(from, behind(last)))
              .isEqualTo(before - redis.number("LLEN", key(i)));
        });
  }

  /** The exclusive end of a range whose last element has an index. */
  private static long behind(int last) {
    return last == -1 ? Long.MAX_VALUE : last + 1L;
  }

  private void occurrences() {
    step(
        () -> {
          int i = index();
          String pivot = element();
          String element = element();
          boolean inserted = redis.number("LINSERT", key(i), "BEFORE", pivot, element) > 0;
          assertThat(deques.get(i).insertBefore(pivot, element)).isEqualTo(inserted);
        });
    step(
        () -> {
          int i = index();
          String pivot = element();
          String element = element();
          boolean inserted = redis.number("LINSERT", key(i), "AFTER", pivot, element) > 0;
          assertThat(deques.get(i).insertAfter(pivot, element)).isEqualTo(inserted);
        });
    step(
        () -> {
          int i = index();
          String element = element();
          DequeEnd from = end();
          int count = random.nextInt(3);
          int signed = from == FIRST ? count : -count;
          assertThat(
                  deques
                      .get(i)
                      .removeOccurrences(element, from, count == 0 ? Long.MAX_VALUE : count))
              .isEqualTo(redis.number("LREM", key(i), signed, element));
        });
    step(
        () -> {
          int i = index();
          String element = element();
          DequeEnd from = end();
          int rank = 1 + random.nextInt(3);
          int count = random.nextInt(3);
          Object found =
              redis.call(
                  "LPOS", key(i), element, "RANK", from == FIRST ? rank : -rank, "COUNT", count);
          assertThat(
                  deques.get(i).indicesOf(element, from, rank, count == 0 ? Long.MAX_VALUE : count))
              .isEqualTo(found);
          Object first = redis.call("LPOS", key(i), element);
          assertThat(deques.get(i).indexOf(element)).isEqualTo(first == null ? -1L : first);
        });
  }

  private void moves() {
    step(
        () -> {
          int from = index();
          int to = index();
          DequeEnd end = end();
          assertThat(deques.get(from).moveFirstTo(deques.get(to), end))
              .isEqualTo(redis.text("LMOVE", key(from), key(to), "LEFT", side(end)));
          assertThat(deques.get(from).moveLastTo(deques.get(to), FIRST))
              .isEqualTo(redis.text("RPOPLPUSH", key(from), key(to)));
        });
    step(
        () -> {
          int count = 1 + random.nextInt(3);
          checkPolled(
              PersistentDeque.pollFirstOf(deques, count),
              redis.call("LMPOP", DEQUES, key(0), key(1), "LEFT", "COUNT", count));
          checkPolled(
              PersistentDeque.pollLastOf(deques, count),
              redis.call("LMPOP", DEQUES, key(0), key(1), "RIGHT", "COUNT", count));
        });
  }

  private void checkPolled(
      Optional<Polled<PersistentDeque<String>, String>> polled, @Nullable Object reply) {
    Object actual = polled.map(p -> List.of(p.from().name(), p.elements())).orElse(null);
    assertThat(actual).isEqualTo(reply);
  }

  private void waiting() {
    int from = index();
    int to = index();
    DequeEnd end = end();
    switch (random.nextInt(6)) {
      case 0 ->
          checkPair(
              wait(() -> PersistentDeque.pollFirstOf(deques, 1, MILLISECOND)),
              redis.texts("BLPOP", key(0), key(1), SHORTLY));
      case 1 ->
          checkPair(
              wait(() -> PersistentDeque.pollLastOf(deques, 1, MILLISECOND)),
              redis.texts("BRPOP", key(0), key(1), SHORTLY));
      case 2 ->
          checkPolled(
              wait(() -> PersistentDeque.pollLastOf(deques, 2, MILLISECOND)),
              redis.call("BLMPOP", SHORTLY, DEQUES, key(0), key(1), "RIGHT", "COUNT", 2));
      case 3 ->
          assertThat(
                  waitOrNull(() -> deques.get(from).pollFirstTo(deques.get(to), end, MILLISECOND)))
              .isEqualTo(redis.text("BLMOVE", key(from), key(to), "LEFT", side(end), SHORTLY));
      case 4 ->
          assertThat(
                  waitOrNull(() -> deques.get(from).pollLastTo(deques.get(to), FIRST, MILLISECOND)))
              .isEqualTo(redis.text("BRPOPLPUSH", key(from), key(to), SHORTLY));
      default ->
          assertThat(waitOrNull(() -> deques.get(from).poll(MILLISECOND)))
              .isEqualTo(
                  redis.texts("BLPOP", key(from), SHORTLY).stream()
                      .skip(1)
                      .findFirst()
                      .orElse(null));
    }
  }

  private static void checkPair(
      Optional<Polled<PersistentDeque<String>, String>> polled, List<String> pair) {
    assertThat(polled.map(p -> List.of(p.from().name(), p.elements().get(0))).orElse(List.of()))
        .isEqualTo(pair);
  }

  private static <T> T wait(Callable<T> call) {
    return Objects.requireNonNull(waitOrNull(call));
  }

  private static <T> @Nullable T waitOrNull(Callable<@Nullable T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new AssertionError("A call that waits failed.", e);
    }
  }
}

package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.ExpiryCondition;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@link PersistentMap}s and Redis' hashes, and the names of both. */
final class ComparedHashes extends ComparedType {
  private static final int HASHES = 3;
  private static final int FIELDS = 15;
  private static final int NUMBERS = 4;

  private final PersistentMap<?, ?>[] maps = new PersistentMap<?, ?>[HASHES];
  private @Nullable Rockpool pool;

  ComparedHashes(RedisClient redis) {
    super(redis);
    reads();
    writes();
    wholes();
    names();
  }

  @Override
  void open(Rockpool opened) {
    pool = opened;
    IntStream.range(0, HASHES).forEach(this::open);
  }

  private void open(int index) {
    maps[index] = Objects.requireNonNull(pool).map(key(index), String.class, String.class);
  }

  @Override
  List<String> keys() {
    return IntStream.range(0, HASHES).mapToObj(ComparedHashes::key).toList();
  }

  @Override
  void compare(int index) {
    List<String> all = redis.texts("HGETALL", key(index));
    Map<String, String> theirs = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i += 2) {
      theirs.put(all.get(i), all.get(i + 1));
    }
    assertThat(map(index)).containsExactlyInAnyOrderEntriesOf(theirs);
    assertThat(map(index).count()).isEqualTo(redis.number("HLEN", key(index)));
  }

  @SuppressWarnings("unchecked") // opened with these types
  private PersistentMap<String, String> map(int index) {
    return (PersistentMap<String, String>) Objects.requireNonNull(maps[index]);
  }

  private static String key(int index) {
    return "hash" + index;
  }

  private int index() {
    return random.nextInt(HASHES);
  }

  private String field() {
    return "f" + random.nextInt(FIELDS);
  }

  private String number() {
    return "n" + random.nextInt(NUMBERS);
  }

  private String value() {
    return "v" + random.nextInt(50);
  }

  private void reads() {
    step(
        () -> {
          int i = index();
          String field = field();
          assertThat(map(i).get(field)).isEqualTo(redis.text("HGET", key(i), field));
          assertThat(map(i).containsKey(field))
              .isEqualTo(redis.number("HEXISTS", key(i), field) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> some = List.of("f1", "f2", "n1");
          Map<String, String> ours = map(i).getAll(some);
          assertThat(some.stream().map(ours::get))
              .containsExactlyElementsOf(redis.texts(words(some, "HMGET", key(i))));
        });
    step(
        () -> {
          int i = index();
          assertThat(map(i).keySet())
              .containsExactlyInAnyOrderElementsOf(redis.texts("HKEYS", key(i)));
          assertThat(map(i).values())
              .containsExactlyInAnyOrderElementsOf(redis.texts("HVALS", key(i)));
          assertThat(map(i).count()).isEqualTo(redis.number("HLEN", key(i)));
        });
    step(
        () -> {
          int i = index();
          List<?> page = (List<?>) Objects.requireNonNull(redis.call("HSCAN", key(i), "0"));
          assertThat(RedisClient.texts(page.get(1))).hasSize(2 * map(i).size());
        });
  }

  private void writes() {
    step(
        () -> {
          int i = index();
          String field = field();
          String value = value();
          assertThat(map(i).put(field, value) == null)
              .isEqualTo(redis.number("HSET", key(i), field, value) > 0);
        });
    step(
        () -> {
          int i = index();
          String one = value();
          String two = value();
          map(i).putAll(Map.of("f1", one, "f2", two));
          redis.call("HSET", key(i), "f1", one, "f2", two);
        });
    step(
        () -> {
          int i = index();
          String field = field();
          String value = value();
          assertThat(map(i).putIfAbsent(field, value) == null)
              .isEqualTo(redis.number("HSETNX", key(i), field, value) > 0);
        });
    step(
        () -> {
          int i = index();
          List<String> some = List.of("f0", field(), number());
          List<String> distinct = some.stream().distinct().toList();
          assertThat(map(i).removeAll(distinct))
              .isEqualTo(redis.number(words(distinct, "HDEL", key(i))));
        });
    step(
        () -> {
          int i = index();
          String field = number();
          int by = random.nextInt(20) - 10;
          long sum = redis.number("HINCRBY", key(i), field, by);
          assertThat(map(i).increment(field, by)).isEqualTo(Long.toString(sum));
        });
    step(
        () -> {
          int i = index();
          String field = number();
          assertThat(map(i).increment(field, 0.25))
              .isEqualTo(redis.text("HINCRBYFLOAT", key(i), field, "0.25"));
          assertThat(map(i).increment(field, 0.75))
              .isEqualTo(redis.text("HINCRBYFLOAT", key(i), field, "0.75"));
        });
  }

  private void wholes() {
    stepOutside(
        () -> {
          int i = index();
          map(i).clear();
          redis.call(random.nextBoolean() ? "DEL" : "UNLINK", key(i));
        });
    stepOutside(
        () -> {
          int i = index();
          if (!map(i).isEmpty()) {
            map(i).clearAfter(Duration.ofHours(2));
            redis.call("PEXPIRE", key(i), 7_200_000);
            endExpiry(i);
          }
        });
    stepOutside(
        () -> {
          int i = index();
          if (!map(i).isEmpty()) {
            long second = Instant.now().getEpochSecond() + 9_000;
            map(i).clearAt(Instant.ofEpochSecond(second));
            redis.call("EXPIREAT", key(i), second);
            assertThat(map(i).clearAfter(Duration.ofHours(5), ExpiryCondition.ABSENT))
                .isEqualTo(redis.number("PEXPIRE", key(i), 18_000_000, "NX") > 0);
            endExpiry(i);
          }
        });
  }

  /** A hash that becomes empty loses its expiry, a map keeps it; so none stays. */
  private void endExpiry(int index) {
    ComparedStrings.assertNear(map(index).clearsIn(), redis.number("PTTL", key(index)));
    map(index).cancelClear();
    redis.call("PERSIST", key(index));
    ComparedStrings.assertNear(map(index).clearsIn(), redis.number("PTTL", key(index)));
  }

  /** An empty map has a name; in Redis it has none. */
  private void names() {
    stepOutside(
        () -> {
          int from = index();
          int to = (from + 1) % HASHES;
          if (!map(from).isEmpty()) {
            Rockpool store = Objects.requireNonNull(pool);
            redis.call("RENAME", key(from), key(to));
            assertThat(store.names().renameReplacing(key(from), key(to))).isTrue();
            open(from);
            open(to);
          }
        });
    stepOutside(
        () -> {
          int from = index();
          int to = (from + 1) % HASHES;
          if (!map(from).isEmpty() && map(to).isEmpty()) {
            Rockpool store = Objects.requireNonNull(pool);
            assertThat(redis.number("RENAMENX", key(from), key(to))).isEqualTo(1);
            assertThat(store.names().drop(key(to))).isTrue();
            assertThat(store.names().rename(key(from), key(to))).isTrue();
            open(from);
            open(to);
          }
        });
    stepOutside(
        () -> {
          int from = index();
          int to = (from + 1) % HASHES;
          if (!map(from).isEmpty()) {
            Rockpool store = Objects.requireNonNull(pool);
            assertThat(redis.number("COPY", key(from), key(to), "REPLACE")).isEqualTo(1);
            assertThat(store.names().copyReplacing(key(from), key(to))).isTrue();
            open(to);
          }
        });
    stepOutside(
        () -> {
          int i = index();
          assertThat(redis.number("EXISTS", key(i)) > 0).isEqualTo(!map(i).isEmpty());
          assertThat(redis.text("TYPE", key(i))).isEqualTo(map(i).isEmpty() ? "none" : "hash");
        });
  }
}

package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.ExpiryCondition;
import io.rockpool.structure.PersistentMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link PersistentMap} and Redis' strings: a key of Redis for each. Some hold
 * text, the others numbers as text.
 */
final class ComparedStrings extends ComparedType {
  private static final int ENTRIES = 12;
  private static final int NUMBERS_FROM = 8;

  /** Longer than a test takes, so that nothing ends meanwhile. */
  private static final int LEAST_MILLIS = 3_600_000;

  /** The two sides take the time one after the other. */
  private static final Duration TOLERANCE = Duration.ofMinutes(2);

  /** What never ends has longer. */
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private @Nullable PersistentMap<String, String> opened;
  private int conditions;

  ComparedStrings(RedisClient redis) {
    super(redis);
    reads();
    writes();
    conditions();
    numbers();
    expiries();
  }

  @Override
  void open(Rockpool pool) {
    opened = pool.map("strings", String.class, String.class);
  }

  private PersistentMap<String, String> map() {
    return Objects.requireNonNull(opened);
  }

  @Override
  List<String> keys() {
    return IntStream.range(0, ENTRIES).mapToObj(ComparedStrings::key).toList();
  }

  @Override
  void compare(int index) {
    assertThat(map().get(key(index))).isEqualTo(redis.text("GET", key(index)));
    assertNear(map().ttl(key(index)), redis.number("PTTL", key(index)));
  }

  /** Asserts that both have about the same time left, or both none. */
  static void assertNear(Optional<Duration> ours, long theirs) {
    if (theirs < 0) {
      assertThat(ours.filter(ttl -> ttl.compareTo(CENTURY) < 0)).isEmpty();
    } else {
      assertThat(ours.orElseThrow()).isCloseTo(Duration.ofMillis(theirs), TOLERANCE);
    }
  }

  private static String key(int index) {
    return "string" + index;
  }

  private String text() {
    return key(random.nextInt(NUMBERS_FROM));
  }

  private String number() {
    return key(NUMBERS_FROM + random.nextInt(ENTRIES - NUMBERS_FROM));
  }

  private String any() {
    return random.nextBoolean() ? text() : number();
  }

  private String value() {
    return "v" + random.nextInt(3);
  }

  private long millis() {
    return LEAST_MILLIS * (1L + random.nextInt(9));
  }

  private void reads() {
    step(
        () -> {
          String key = any();
          assertThat(map().get(key)).isEqualTo(redis.text("GET", key));
          assertThat(map().containsKey(key)).isEqualTo(redis.number("EXISTS", key) > 0);
          assertNear(map().ttl(key), redis.number("TTL", key) * 1_000);
        });
    step(
        () -> {
          List<String> some = List.of(key(0), key(5), key(9));
          List<@Nullable String> theirs = RedisClient.texts(redis.call(words(some, "MGET")));
          Map<String, String> ours = map().getAll(some);
          assertThat(some.stream().map(ours::get)).containsExactlyElementsOf(theirs);
        });
  }

  private void writes() {
    step(
        () -> {
          String key = text();
          String value = value();
          assertThat(map().put(key, value)).isEqualTo(redis.text("SET", key, value, "GET"));
        });
    step(
        () -> {
          String key = text();
          String value = value();
          long millis = millis();
          map().put(key, value, Duration.ofMillis(millis));
          redis.call("SET", key, value, "PX", millis);
        });
    step(
        () -> {
          String key = text();
          String value = value();
          assertThat(map().put(key, value)).isEqualTo(redis.text("GETSET", key, value));
        });
    step(
        () -> {
          String key = text();
          String value = value();
          long millis = millis();
          assertThat(map().getAndPut(key, value, Duration.ofMillis(millis)))
              .isEqualTo(redis.text("SET", key, value, "GET", "PX", millis));
        });
    step(
        () -> {
          Map<String, String> both = new LinkedHashMap<>();
          both.put(key(1), value());
          both.put(key(2), value());
          map().putAll(both);
          List<String> words = new ArrayList<>();
          both.forEach((key, value) -> words.addAll(List.of(key, value)));
          redis.call(words(words, "MSET"));
        });
    step(
        () -> {
          String key = any();
          assertThat(map().remove(key)).isEqualTo(redis.text("GETDEL", key));
        });
    step(
        () -> {
          List<String> some = List.of(text(), number());
          assertThat(map().removeAll(some)).isEqualTo(redis.number(words(some, "DEL")));
        });
  }

  private void conditions() {
    step(
        () -> {
          String key = text();
          String value = value();
          assertThat(map().putIfAbsent(key, value) == null)
              .isEqualTo(redis.number("SETNX", key, value) > 0);
        });
    step(
        () -> {
          String key = text();
          String value = value();
          long millis = millis();
          assertThat(map().putIfAbsent(key, value, Duration.ofMillis(millis)) == null)
              .isEqualTo(redis.call("SET", key, value, "NX", "PX", millis) != null);
        });
    step(
        () -> {
          String key = text();
          String value = value();
          assertThat(map().replace(key, value) != null)
              .isEqualTo(redis.call("SET", key, value, "XX", "KEEPTTL") != null);
        });
    step(
        () -> {
          String key = text();
          String value = value();
          long millis = millis();
          assertThat(map().putIfPresent(key, value, Duration.ofMillis(millis)) != null)
              .isEqualTo(redis.call("SET", key, value, "XX", "PX", millis) != null);
        });
    step(
        () -> {
          String key = text();
          String expected = value();
          String next = value();
          long millis = millis();
          assertThat(map().replace(key, expected, next, Duration.ofMillis(millis)))
              .isEqualTo(ifEqual(key, expected, "'SET', KEYS[1], ARGV[2], 'PX', " + millis, next));
        });
    step(
        () -> {
          String key = text();
          String expected = value();
          assertThat(map().remove(key, expected))
              .isEqualTo(ifEqual(key, expected, "'DEL', KEYS[1]", ""));
        });
  }

  /** What later versions have commands for: {@code SET IFEQ} and {@code DELIFEQ}. */
  private boolean ifEqual(String key, String expected, String command, String next) {
    String script =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call("
            + command
            + ") return 1 else return 0 end";
    return redis.number("EVAL", script, 1, key, expected, next) > 0;
  }

  private void numbers() {
    step(
        () -> {
          String key = number();
          int by = random.nextInt(20) - 10;
          String sum = Long.toString(redis.number("INCRBY", key, by));
          assertThat(map().increment(key, by)).isEqualTo(sum);
        });
    step(
        () -> {
          String key = number();
          long millis = millis();
          long sum = redis.number("INCRBY", key, 3);
          redis.call("PEXPIRE", key, millis);
          assertThat(map().incrementAndExpire(key, 3, Duration.ofMillis(millis)))
              .isEqualTo(Long.toString(sum));
        });
    step(
        () -> {
          String key = number();
          String sum = Objects.requireNonNull(redis.text("INCRBYFLOAT", key, "1.5"));
          assertThat(map().increment(key, 1.5)).isEqualTo(sum);
          assertThat(map().increment(key, 0.5)).isEqualTo(redis.text("INCRBYFLOAT", key, "0.5"));
        });
  }

  private void expiries() {
    step(
        () -> {
          String key = any();
          long millis = millis();
          assertThat(map().expireAfter(key, Duration.ofMillis(millis)))
              .isEqualTo(redis.number("EXPIRE", key, millis / 1_000) > 0);
        });
    step(
        () -> {
          String key = any();
          long second = Instant.now().getEpochSecond() + millis() / 1_000;
          assertThat(map().expireAt(key, Instant.ofEpochSecond(second)))
              .isEqualTo(redis.number("EXPIREAT", key, second) > 0);
        });
    step(
        () -> {
          String key = any();
          long millis = millis() + 60_000L * ++conditions; // never as late as another
          ExpiryCondition[] ours = {
            ExpiryCondition.ABSENT,
            ExpiryCondition.PRESENT,
            ExpiryCondition.LATER,
            ExpiryCondition.EARLIER
          };
          int condition = random.nextInt(ours.length);
          String theirs = List.of("NX", "XX", "GT", "LT").get(condition);
          assertThat(map().expireAfter(key, Duration.ofMillis(millis), ours[condition]))
              .isEqualTo(redis.number("EXPIRE", key, millis / 1_000, theirs) > 0);
        });
    step(
        () -> {
          String key = any();
          assertThat(map().persist(key)).isEqualTo(redis.number("EXISTS", key) > 0);
          redis.call("PERSIST", key);
        });
  }
}

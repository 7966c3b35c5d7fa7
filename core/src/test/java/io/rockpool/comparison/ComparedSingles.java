package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.ExpiryCondition;
import io.rockpool.structure.PersistentCounter;
import io.rockpool.structure.PersistentValue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link PersistentValue} of text, one of numbers, a {@link PersistentCounter}; and strings. */
final class ComparedSingles extends ComparedType {
  private static final String TEXT = "single-text";
  private static final String NUMBER = "single-number";
  private static final String COUNTER = "single-counter";
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long HOUR_MILLIS = HOUR.toMillis();

  private @Nullable PersistentValue<String> text;
  private @Nullable PersistentValue<String> number;
  private @Nullable PersistentCounter counter;

  ComparedSingles(RedisClient redis) {
    super(redis);
    values();
    numbers();
    counters();
    expiries();
  }

  @Override
  void open(Rockpool pool) {
    text = pool.value(TEXT, String.class);
    number = pool.value(NUMBER, String.class);
    counter = pool.counter(COUNTER);
  }

  private PersistentValue<String> text() {
    return Objects.requireNonNull(text);
  }

  private PersistentValue<String> number() {
    return Objects.requireNonNull(number);
  }

  private PersistentCounter counter() {
    return Objects.requireNonNull(counter);
  }

  @Override
  List<String> keys() {
    return List.of(TEXT, NUMBER, COUNTER);
  }

  @Override
  void compare(int index) {
    String theirs = redis.text("GET", keys().get(index));
    switch (index) {
      case 0 -> assertThat(text().get()).isEqualTo(theirs);
      case 1 -> assertThat(number().get()).isEqualTo(theirs);
      default -> assertThat(counter().get()).isEqualTo(theirs == null ? 0 : Long.parseLong(theirs));
    }
  }

  private String value() {
    return "v" + random.nextInt(3);
  }

  private void values() {
    step(
        () -> {
          String value = value();
          text().set(value);
          redis.call("SET", TEXT, value);
          assertThat(text().isPresent()).isEqualTo(redis.number("EXISTS", TEXT) > 0);
        });
    step(
        () -> {
          String value = value();
          assertThat(text().setIfAbsent(value)).isEqualTo(redis.number("SETNX", TEXT, value) > 0);
        });
    step(
        () -> {
          String value = value();
          assertThat(text().setIfAbsent(value, HOUR))
              .isEqualTo(redis.call("SET", TEXT, value, "NX", "PX", HOUR_MILLIS) != null);
        });
    step(
        () -> {
          String value = value();
          assertThat(text().setIfPresent(value))
              .isEqualTo(redis.call("SET", TEXT, value, "XX", "KEEPTTL") != null);
          assertThat(text().setIfPresent(value, HOUR))
              .isEqualTo(redis.call("SET", TEXT, value, "XX", "PX", HOUR_MILLIS) != null);
        });
    step(
        () -> {
          String value = value();
          assertThat(text().getAndSet(value)).isEqualTo(redis.text("GETSET", TEXT, value));
          assertThat(text().getAndSet(value, HOUR))
              .isEqualTo(redis.text("SET", TEXT, value, "GET", "PX", HOUR_MILLIS));
        });
    step(() -> assertThat(text().getAndSet(null)).isEqualTo(redis.text("GETDEL", TEXT)));
  }

  private void numbers() {
    step(
        () ->
            assertThat(number().increment(3))
                .isEqualTo(Long.toString(redis.number("INCRBY", NUMBER, 3))));
    step(
        () -> {
          assertThat(number().increment(0.5)).isEqualTo(redis.text("INCRBYFLOAT", NUMBER, "0.5"));
          assertThat(number().increment(1.5)).isEqualTo(redis.text("INCRBYFLOAT", NUMBER, "1.5"));
        });
  }

  private void counters() {
    step(
        () -> {
          assertThat(counter().incrementAndGet()).isEqualTo(redis.number("INCR", COUNTER));
          assertThat(counter().decrementAndGet()).isEqualTo(redis.number("DECR", COUNTER));
        });
    step(
        () -> {
          int by = random.nextInt(9);
          assertThat(counter().addAndGet(by)).isEqualTo(redis.number("INCRBY", COUNTER, by));
          assertThat(counter().addAndGet(-by)).isEqualTo(redis.number("DECRBY", COUNTER, by));
        });
    step(
        () -> {
          int value = random.nextInt(5);
          counter().set(value, HOUR);
          redis.call("SET", COUNTER, value, "PX", HOUR_MILLIS);
        });
    step(
        () -> {
          int value = random.nextInt(5);
          String before = redis.text("GETSET", COUNTER, value);
          assertThat(counter().getAndSet(value))
              .isEqualTo(before == null ? 0 : Long.parseLong(before));
        });
    // WATCH joins no transaction of its own.
    stepOutside(
        () -> {
          long expected = random.nextInt(5);
          redis.call("WATCH", COUNTER);
          String before = redis.text("GET", COUNTER);
          boolean same = expected == (before == null ? 0 : Long.parseLong(before));
          redis.call("MULTI");
          if (same) {
            redis.call("SET", COUNTER, 9, "KEEPTTL");
          }
          redis.call("EXEC");
          assertThat(counter().compareAndSet(expected, 9)).isEqualTo(same);
        });
  }

  private void expiries() {
    stepOutside(
        () -> {
          text().clear();
          redis.call("DEL", TEXT);
          assertThat(text().clearAfter(HOUR, ExpiryCondition.ALWAYS))
              .isEqualTo(redis.number("EXPIRE", TEXT, HOUR.toSeconds()) > 0);
        });
    stepOutside(
        () -> {
          assertThat(counter().clearAfter(HOUR, ExpiryCondition.ABSENT))
              .isEqualTo(redis.number("PEXPIRE", COUNTER, HOUR_MILLIS, "NX") > 0);
          ComparedStrings.assertNear(counter().clearsIn(), redis.number("PTTL", COUNTER));
        });
    stepOutside(
        () -> {
          counter().cancelClear();
          redis.call("PERSIST", COUNTER);
          ComparedStrings.assertNear(counter().clearsIn(), redis.number("TTL", COUNTER));
        });
  }
}

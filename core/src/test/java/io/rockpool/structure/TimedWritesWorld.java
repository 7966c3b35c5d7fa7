package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.ModelCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Conditional writes with a time to live, and a model of them: a value and an expiry for each key.
 * Some run inside a transaction.
 */
final class TimedWritesWorld implements ModelCheck.World {
  private static final List<String> KEYS = List.of("a", "b", "c");

  private final StoreUnderTest store;
  private final Function<Rockpool, Slots> opener;
  private final FakeClock clock;
  private final Map<String, Slot> model = new HashMap<>();
  private Slots slots;

  private record Slot(long value, long expiryMillis) {}

  /** Values of keys in any structure. A null ttl stands for none: the method without one. */
  interface Slots {
    Long get(String key);

    /** Empty also for a value that never expires, if the structure cannot say. */
    Optional<Duration> ttl(String key);

    void put(String key, long value, Duration ttl);

    /** Whether there was none; null if the structure has no such method. */
    Boolean putIfAbsent(String key, long value, Duration ttl);

    /** Whether there was one; null if the structure has no such method. */
    Boolean replace(String key, long value, Duration ttl);

    boolean compareAndSet(String key, long expected, long next, Duration ttl);

    Long getAndPut(String key, long value, Duration ttl);

    long increment(String key, long by, Duration ttl);

    boolean expireAfter(String key, Duration ttl, ExpiryCondition condition);

    /** Whether a value of 0 is the same as none. */
    default boolean startsAtZero() {
      return false;
    }
  }

  TimedWritesWorld(StoreUnderTest store, Function<Rockpool, Slots> opener) {
    this.store = store;
    this.opener = opener;
    this.clock = store.clock;
    this.slots = opener.apply(store.pool());
  }

  @Override
  public void step(Random random, Consumer<String> log) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    long value = random.nextInt(4);
    long other = random.nextInt(4);
    Duration ttl = random.nextInt(3) == 0 ? null : Duration.ofMillis(random.nextInt(20) - 3);
    ExpiryCondition condition = List.of(ExpiryCondition.values()).get(random.nextInt(5));
    boolean joined = random.nextInt(4) == 0;
    int operation = random.nextInt(20);
    log.accept(operation + " " + key + " " + value + " " + other + " " + ttl + " " + condition);
    switch (operation) {
      case 0, 1 -> {
        slots.put(key, value, ttl);
        set(key, value, after(ttl, Expiry.NEVER));
      }
      case 2, 3 -> {
        Boolean absent = within(joined, () -> slots.putIfAbsent(key, value, ttl));
        if (absent != null) {
          assertThat(absent).isEqualTo(!model.containsKey(key));
          if (absent) {
            set(key, value, after(ttl, Expiry.NEVER));
          }
        }
      }
      case 4, 5 -> {
        Boolean present = within(joined, () -> slots.replace(key, value, ttl));
        if (present != null) {
          assertThat(present).isEqualTo(model.containsKey(key));
          if (present) {
            set(key, value, after(ttl, model.get(key).expiryMillis()));
          }
        }
      }
      case 6, 7, 8 -> compareAndSet(key, value, other, ttl, joined);
      case 9, 10 -> {
        assertThat(within(joined, () -> slots.getAndPut(key, value, ttl))).isEqualTo(shown(key));
        set(key, value, after(ttl, Expiry.NEVER));
      }
      case 11, 12, 13 -> {
        Slot found = model.get(key);
        long sum = value + (found == null ? 0 : found.value());
        assertThat(within(joined, () -> slots.increment(key, value, ttl))).isEqualTo(sum);
        set(key, sum, found == null ? after(ttl, Expiry.NEVER) : found.expiryMillis());
      }
      case 14, 15, 16 -> expire(key, ttl == null ? Duration.ofDays(1) : ttl, condition, joined);
      case 17, 18 -> clock.advanceMillis(random.nextInt(8));
      default -> reopen(random.nextInt(8));
    }
    model.values().removeIf(slot -> Expiry.isPast(slot.expiryMillis(), clock));
    KEYS.forEach(this::compare);
  }

  private void compareAndSet(String key, long expected, long next, Duration ttl, boolean joined) {
    Slot found = model.get(key);
    boolean same =
        found == null ? slots.startsAtZero() && expected == 0 : found.value() == expected;
    assertThat(within(joined, () -> slots.compareAndSet(key, expected, next, ttl))).isEqualTo(same);
    if (same) {
      set(key, next, after(ttl, found == null ? Expiry.NEVER : found.expiryMillis()));
    }
  }

  private void expire(String key, Duration ttl, ExpiryCondition condition, boolean joined) {
    Slot found = model.get(key);
    long expiryMillis = after(ttl, Expiry.NEVER);
    boolean holds = found != null && holds(condition, found.expiryMillis(), expiryMillis);
    assertThat(within(joined, () -> slots.expireAfter(key, ttl, condition))).isEqualTo(holds);
    if (holds) {
      set(key, found.value(), expiryMillis);
    }
  }

  /** What Redis' documentation of EXPIRE says. */
  private static boolean holds(ExpiryCondition condition, long before, long after) {
    boolean isPersistent = before == Expiry.NEVER;
    return switch (condition) {
      case ALWAYS -> true;
      case ABSENT -> isPersistent;
      case PRESENT -> !isPersistent;
      case LATER -> !isPersistent && after > before;
      case EARLIER -> isPersistent || after < before;
    };
  }

  private <R> R within(boolean joined, Supplier<R> work) {
    return joined ? store.pool().atomically(tx -> work.get()) : work.get();
  }

  private void reopen(int operation) {
    if (operation < 2) {
      slots = opener.apply(operation == 0 ? store.reopen() : store.crash());
    }
  }

  private long after(Duration ttl, long otherwise) {
    return ttl == null ? otherwise : Expiry.after(clock, ttl);
  }

  private void set(String key, long value, long expiryMillis) {
    model.put(key, new Slot(value, expiryMillis));
    model.values().removeIf(slot -> Expiry.isPast(slot.expiryMillis(), clock));
  }

  private Long shown(String key) {
    Slot slot = model.get(key);
    return slot == null ? (slots.startsAtZero() ? Long.valueOf(0) : null) : (Long) slot.value();
  }

  private void compare(String key) {
    assertThat(slots.get(key)).isEqualTo(shown(key));
    Slot slot = model.get(key);
    long left = slot == null ? 0 : slot.expiryMillis() - clock.millis();
    if (slot == null || slot.expiryMillis() == Expiry.NEVER) {
      assertThat(slots.ttl(key)).isIn(Optional.empty(), Optional.of(PersistentStructure.FOREVER));
    } else {
      assertThat(slots.ttl(key)).contains(Duration.ofMillis(left));
    }
  }

  @Override
  public void close() {
    store.close();
  }
}

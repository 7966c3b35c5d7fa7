package io.rockpool.structure;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A persistent number, used like an {@link java.util.concurrent.atomic.AtomicLong}. A new counter
 * is 0. Thread-safe.
 *
 * <pre>{@code
 * PersistentCounter visits = pool.counter("shop/visits");
 * long count = visits.incrementAndGet();
 * long highest = pool.counter("shop/highest").accumulateAndGet(count, Math::max);
 * }</pre>
 *
 * <p><b>Cost.</b> A get is one read, a set or an addition one read and one write. {@link
 * #compareAndSet}, {@link #getAndSet} and methods that call a function are up to three reads and
 * one write. Creating a counter takes a forced write of about a millisecond, and an open one takes
 * heap. For thousands of counts, use one map and {@link PersistentMap#increment}.
 *
 * <p><b>Atomicity.</b> Each operation is atomic, and every later read sees it.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the counter, or
 * of {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Every operation of the calling thread joins {@link
 * io.rockpool.Rockpool#atomically}, also {@link #clear}, {@link #clearAt}, {@link #clearAfter},
 * {@link #cancelClear} and {@link #clearsIn}. No other thread changes the number between its first
 * read or change in the transaction and the commit.
 *
 * <p><b>Expiry.</b> The number can have a time to live, after which it is 0 again. {@link
 * #set(long)} starts it with the {@link StructureOptions#entryTtl}. So does an addition to a
 * counter that was never set or has expired. An addition to any other counter keeps its expiry. So
 * a counter with an entryTtl counts from the first addition until that time has passed.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. A sum
 * outside the range of {@code long} throws an {@link ArithmeticException} and changes nothing.
 */
public final class PersistentCounter extends SingleEntry<Long> {
  PersistentCounter(EntryCodec<NoContent, Long> codec, Records records) {
    super(codec, records);
  }

  /** The number; 0 if it was never set or has expired. */
  public long get() {
    return orZero(reads.get(NoContent.HERE));
  }

  /** Sets the number. {@link #clear} resets it to 0 and removes its expiry. */
  public void set(long value) {
    writes.put(NoContent.HERE, value, space.defaultExpiryMillis());
  }

  /** Sets a number that expires after {@code ttl}; zero or less makes it 0 immediately. */
  public void set(long value, Duration ttl) {
    writes.put(NoContent.HERE, value, space.expiryMillis(ttl));
  }

  /**
   * Sets the number; returns the old one. Two reads and one write.
   *
   * @return the old number; 0 if it was never set or has expired
   */
  public long getAndSet(long value) {
    return orZero(writes.exchange(NoContent.HERE, value, space.defaultExpiryMillis()));
  }

  /**
   * Sets a number that expires after {@code ttl}, and returns the old one; zero or less makes it 0.
   * Redis' {@code SET key value GET PX}. Atomic; two reads and one write.
   *
   * <pre>{@code
   * long lastHour = visits.getAndSet(0, ofHours(1));
   * }</pre>
   *
   * @return the old number; 0 if it was never set or has expired
   */
  public long getAndSet(long value, Duration ttl) {
    return orZero(writes.exchange(NoContent.HERE, value, space.expiryMillis(ttl)));
  }

  /** Adds {@code by}; returns the new value. Redis' {@code INCRBY}. */
  public long addAndGet(long by) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.defaultExpiryMillis());
  }

  /**
   * Adds {@code by}, and returns the new value. A counter that was never set, or has expired, then
   * expires after {@code ttl}, or stays 0 if that is zero or less. Any other keeps its expiry.
   * Redis' {@code INCRBY} and {@code PEXPIRE NX} in one call. Atomic; one read and one write.
   *
   * <pre>{@code
   * boolean allowed = requests.addAndGet(1, ofMinutes(1)) <= 100; // 100 a minute
   * }</pre>
   */
  public long addAndGet(long by, Duration ttl) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.expiryMillis(ttl));
  }

  /** Adds {@code by}; returns the old value. */
  public long getAndAdd(long by) {
    return addAndGet(by) - by;
  }

  /** Adds 1; returns the new value. */
  public long incrementAndGet() {
    return addAndGet(1);
  }

  /** Subtracts 1; returns the new value. */
  public long decrementAndGet() {
    return addAndGet(-1);
  }

  /** Adds 1; returns the old value. */
  public long getAndIncrement() {
    return getAndAdd(1);
  }

  /** Subtracts 1; returns the old value. */
  public long getAndDecrement() {
    return getAndAdd(-1);
  }

  /** Sets the number to {@code next} if it is {@code expected}; returns whether it was. */
  public boolean compareAndSet(long expected, long next) {
    return (expected == 0 && writes.putIfAbsent(NoContent.HERE, next) == null)
        || writes.replace(NoContent.HERE, expected, next, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Like {@link #compareAndSet(long, long)}; the new number expires after {@code ttl}, zero or less
   * makes it 0. Up to three reads and one write. An expired number is 0.
   *
   * <pre>{@code
   * if (lease.compareAndSet(0, myId, ofSeconds(30))) { // free, or ended
   *   lease.compareAndSet(myId, myId, ofSeconds(30)); // extends it
   * }
   * }</pre>
   *
   * @return whether the number was {@code expected}
   */
  public boolean compareAndSet(long expected, long next, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return (expected == 0 && writes.putIfAbsent(NoContent.HERE, next, expiryMillis) == null)
        || writes.replace(NoContent.HERE, expected, next, expiryMillis);
  }

  /**
   * Sets the number to the result of {@code function}, and returns the result. The function runs
   * without a lock, and again if the number changed during the call.
   */
  public long updateAndGet(LongUnaryOperator function) {
    return orZero(update(function).after());
  }

  /** Like {@link #updateAndGet}, but returns the old number. */
  public long getAndUpdate(LongUnaryOperator function) {
    return orZero(update(function).before());
  }

  /**
   * Sets the number to the result of {@code function} for the number and {@code x}, and returns the
   * result. {@code accumulateAndGet(x, Math::max)} keeps the highest number. The function runs as
   * in {@link #updateAndGet}.
   */
  public long accumulateAndGet(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return updateAndGet(value -> function.applyAsLong(value, x));
  }

  /** Like {@link #accumulateAndGet}, but returns the old number. */
  public long getAndAccumulate(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return getAndUpdate(value -> function.applyAsLong(value, x));
  }

  private EntryWrites.Updated<Long> update(LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    return writes.update(NoContent.HERE, value -> function.applyAsLong(orZero(value)));
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  /** Like {@link Long#toString(long)}, for messages. */
  @Override
  public String toString() {
    return Long.toString(get());
  }
}

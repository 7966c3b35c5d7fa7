package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A number that lives on disk and survives the death of its process, used like an {@link
 * java.util.concurrent.atomic.AtomicLong}. A new counter is 0. Thread-safe.
 *
 * <p>Each operation is atomic and seen by every later read. A get is one read; what adds or
 * compares, one read and one write; what calls a function, two reads and one write. A sum past the
 * range of {@code long} is an {@link ArithmeticException}, and changes nothing.
 *
 * <p>The number may have a time to live, after which it is 0 again. To set it starts that anew,
 * with the {@link StructureOptions#entryTtl}, and so does adding to a counter that has not been set
 * or has expired; adding to one that is there leaves it as it is. So a counter with an entryTtl
 * counts what happens within so long from the first.
 */
public final class PersistentCounter implements PersistentStructure {
  private final StructureSpace space;
  private final EntryReads<Present, Long> reads;
  private final EntryWrites<Present, Long> writes;

  PersistentCounter(EntryCodec<Present, Long> codec, Records records) {
    this.space = codec.space();
    this.reads = EntryReads.live(codec, records.buckets());
    this.writes = new EntryWrites<>(codec, records);
  }

  @Override
  public String name() {
    return space.name();
  }

  @Override
  public boolean isClosed() {
    return space.isClosed();
  }

  /** The number. */
  public long get() {
    Long value = reads.get(Present.HERE);
    return value == null ? 0 : value;
  }

  /** Sets the number. */
  public void set(long value) {
    writes.put(Present.HERE, value, space.defaultExpiryMillis());
  }

  /** Sets a number that lives for {@code ttl} from now on; zero or less makes it 0 at once. */
  public void set(long value, Duration ttl) {
    writes.put(Present.HERE, value, space.expiryMillis(ttl));
  }

  /** Adds {@code by}; returns the sum. */
  public long addAndGet(long by) {
    return writes.increment(Present.HERE, by);
  }

  /** Adds {@code by}; returns what was there before. */
  public long getAndAdd(long by) {
    return addAndGet(by) - by;
  }

  /** Adds 1; returns the sum. */
  public long incrementAndGet() {
    return addAndGet(1);
  }

  /** Subtracts 1; returns the difference. */
  public long decrementAndGet() {
    return addAndGet(-1);
  }

  /** Adds 1; returns what was there before. */
  public long getAndIncrement() {
    return getAndAdd(1);
  }

  /** Subtracts 1; returns what was there before. */
  public long getAndDecrement() {
    return getAndAdd(-1);
  }

  /** Sets the number to {@code next} if it is {@code expected}; says whether it did. */
  public boolean compareAndSet(long expected, long next) {
    return (expected == 0 && writes.putIfAbsent(Present.HERE, next) == null)
        || writes.replace(Present.HERE, expected, next);
  }

  /**
   * Sets what {@code function} makes of the number; it is called with no lock held, and again if
   * the number has changed meanwhile. Returns the number that is there now.
   */
  public long updateAndGet(LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    Long after =
        writes.compute(
            Present.HERE, (key, value) -> function.applyAsLong(value == null ? 0 : value));
    return Objects.requireNonNull(after);
  }

  /** Makes it 0, as if it were new. One write; also in a transaction. */
  @Override
  public void clear() {
    writes.remove(Present.HERE);
  }

  /** Lets the number live until {@code when}; one that was never set is 0 anyway. */
  @Override
  public void expireAt(Instant when) {
    writes.expire(Present.HERE, space.expiryMillis(when));
  }

  @Override
  public void expireAfter(Duration ttl) {
    writes.expire(Present.HERE, space.expiryMillis(ttl));
  }

  @Override
  public void persist() {
    writes.expire(Present.HERE, Expiry.NEVER);
  }

  /** How much longer the number lives; {@link #FOREVER} also where it was never set. */
  @Override
  public Duration ttl() {
    return reads.ttl(Present.HERE).orElse(FOREVER);
  }

  /** As {@link Long#toString(long)}, for messages. */
  @Override
  public String toString() {
    return Long.toString(get());
  }
}

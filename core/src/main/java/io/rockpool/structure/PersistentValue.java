package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One value that lives on disk and survives the death of its process: to a variable what a {@code
 * PersistentMap} is to a map. Null stands for none. Thread-safe.
 *
 * <p>The value goes in and comes out by value. Each operation is atomic and seen by every later
 * read. A get is one read; a set one read and one write; what compares values or calls a function,
 * two reads and one write.
 *
 * <p>The value may have a time to live. To set it starts that anew, with what it says or else with
 * the {@link StructureOptions#entryTtl}; what changes a value that is there leaves it as it is.
 *
 * <p>Where the value can no longer be decoded, because its class changed, an {@link
 * io.rockpool.error.UndecodableValueException} says so; {@link #set} and {@link #clear} do not look
 * at it.
 *
 * @param <T> the type of the value
 */
public final class PersistentValue<T> implements PersistentStructure {
  private final StructureSpace space;
  private final EntryReads<Present, T> reads;
  private final EntryWrites<Present, T> writes;

  PersistentValue(EntryCodec<Present, T> codec, Records records) {
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

  /** The value, or null. */
  public @Nullable T get() {
    return reads.get(Present.HERE);
  }

  /** Whether there is a value, decodable or not. */
  public boolean isPresent() {
    return reads.contains(Present.HERE);
  }

  /** Sets the value; null removes it. */
  public void set(@Nullable T value) {
    if (value == null) {
      clear();
    } else {
      writes.put(Present.HERE, value, space.defaultExpiryMillis());
    }
  }

  /** Sets a value that lives for {@code ttl} from now on; zero or less removes it. */
  public void set(T value, Duration ttl) {
    writes.put(Present.HERE, value, space.expiryMillis(ttl));
  }

  /** Sets the value, null for none; returns the one that was there, or null. */
  public @Nullable T getAndSet(@Nullable T value) {
    return value == null
        ? writes.take(Present.HERE)
        : writes.exchange(Present.HERE, value, space.defaultExpiryMillis());
  }

  /**
   * Sets the value to {@code next} if it equals {@code expected}; null stands for none on both
   * sides.
   *
   * @return whether it did
   */
  public boolean compareAndSet(@Nullable T expected, @Nullable T next) {
    if (expected == null) {
      return next == null ? !isPresent() : writes.putIfAbsent(Present.HERE, next) == null;
    }
    return next == null
        ? writes.remove(Present.HERE, expected)
        : writes.replace(Present.HERE, expected, next);
  }

  /**
   * Sets what {@code function} makes of the value, null standing for none on both sides; it is
   * called with no lock held, and again if the value has changed meanwhile.
   *
   * @return the value that is there now, or null
   */
  public @Nullable T updateAndGet(UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    return writes.compute(Present.HERE, (key, value) -> function.apply(value));
  }

  /** As {@link #updateAndGet}; returns the value that was there before, or null. */
  public @Nullable T getAndUpdate(UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    Object[] before = new Object[1];
    writes.compute(
        Present.HERE,
        (key, value) -> {
          before[0] = value;
          return function.apply(value);
        });
    @SuppressWarnings("unchecked") // set by the function above
    T result = (T) before[0];
    return result;
  }

  /** Removes the value, whether it can be decoded or not. One write; also in a transaction. */
  @Override
  public void clear() {
    writes.remove(Present.HERE);
  }

  /** Lets the value live until {@code when}; what is past removes it. */
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

  /** How much longer the value lives; {@link #FOREVER} also where there is none. */
  @Override
  public Duration ttl() {
    return reads.ttl(Present.HERE).orElse(FOREVER);
  }

  /** Lets {@code listener} be told of changes from now on, until the registration is closed. */
  public Registration addListener(ValueListener<? super T> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add((key, before, after) -> listener.onChange(before, after));
  }
}

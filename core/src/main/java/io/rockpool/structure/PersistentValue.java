package io.rockpool.structure;

import io.rockpool.store.Registration;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A persistent variable: one value, or null for none. Thread-safe.
 *
 * <pre>{@code
 * PersistentValue<String> leader = pool.value("cluster/leader", String.class);
 * if (leader.setIfAbsent("node-1", ofSeconds(30))) {
 *   System.out.println("node-1 leads for 30 seconds");
 * }
 * }</pre>
 *
 * <p>The value is copied on the way in and out: later changes to an instance do not change it.
 *
 * <p><b>Cost.</b> A get is one read, a set one read and one write. Methods that return the old
 * value, compare values or call a function are two reads and one write.
 *
 * <p><b>Atomicity.</b> Each operation is atomic, and every later read sees it.
 *
 * <p><b>Durability.</b> A completed operation survives {@code kill -9}. Its {@link
 * io.rockpool.store.Durability} says whether it survives a power loss: the level of the value, or
 * of {@link io.rockpool.Rockpool#withDurability} around the call.
 *
 * <p><b>Transactions.</b> Every operation of the calling thread joins {@link
 * io.rockpool.Rockpool#atomically}, also {@link #clear}, {@link #clearAt}, {@link #clearAfter},
 * {@link #cancelClear} and {@link #clearsIn}. No other thread changes the value between its first
 * read or change in the transaction and the commit. Listeners are notified after the commit.
 *
 * <p><b>Expiry.</b> The value can have a time to live. A set starts it, with the given value or the
 * {@link StructureOptions#entryTtl}. Changes of an existing value keep its expiry.
 *
 * <p><b>Errors.</b> {@link PersistentStructure} documents the exceptions of all structures. If the
 * value's class has changed so that it can no longer be decoded, reading it throws {@link
 * io.rockpool.error.UndecodableValueException}. {@link #set} and {@link #clear} still work, because
 * they do not decode it.
 *
 * @param <T> the type of the value
 */
public final class PersistentValue<T> extends SingleEntry<T> {
  PersistentValue(EntryCodec<NoContent, T> codec, Records records) {
    super(codec, records);
  }

  /** The value, or null. */
  public @Nullable T get() {
    return reads.get(NoContent.HERE);
  }

  /** The value, or empty. */
  public Optional<T> getOptional() {
    return Optional.ofNullable(get());
  }

  /** Whether there is a value, decodable or not. */
  public boolean isPresent() {
    return reads.contains(NoContent.HERE);
  }

  /** Sets the value; null removes it. */
  public void set(@Nullable T value) {
    if (value == null) {
      clear();
    } else {
      writes.put(NoContent.HERE, value, space.defaultExpiryMillis());
    }
  }

  /** Sets a value that expires after {@code ttl}; zero or less removes it. */
  public void set(T value, Duration ttl) {
    writes.put(NoContent.HERE, value, space.expiryMillis(ttl));
  }

  /**
   * Sets the value if there is none. One read and one write, or only one read. Does not decode an
   * existing value.
   *
   * @return whether it was set
   */
  public boolean setIfAbsent(T value) {
    return writes.putIfAbsent(NoContent.HERE, value) == null;
  }

  /**
   * Sets a value that expires after {@code ttl} if there is none, as for a lock that ends by
   * itself: Redis' {@code SET key value NX PX}. With a ttl of zero or less, sets nothing. An
   * existing value keeps its expiry.
   *
   * @return whether there was no value
   */
  public boolean setIfAbsent(T value, Duration ttl) {
    return writes.putIfAbsent(NoContent.HERE, value, space.expiryMillis(ttl)) == null;
  }

  /**
   * Sets the value if there is one, and keeps its expiry. Redis' {@code SET key value XX KEEPTTL}.
   * Atomic; one read, and one write if there is a value. Does not decode it. An expired value
   * counts as none.
   *
   * <pre>{@code
   * boolean running = progress.setIfPresent(percent); // not if the job was cancelled
   * }</pre>
   *
   * @return whether it was set
   */
  public boolean setIfPresent(T value) {
    return writes.putPresent(NoContent.HERE, value, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Like {@link #setIfPresent(Object)}; the new value expires after {@code ttl}, zero or less
   * removes the old one. Redis' {@code SET key value XX PX}.
   *
   * @return whether there was a value
   */
  public boolean setIfPresent(T value, Duration ttl) {
    return writes.putPresent(NoContent.HERE, value, space.expiryMillis(ttl));
  }

  /** Sets the value, null to remove it; returns the old one, or null. */
  public @Nullable T getAndSet(@Nullable T value) {
    return value == null
        ? writes.take(NoContent.HERE)
        : writes.exchange(NoContent.HERE, value, space.defaultExpiryMillis());
  }

  /**
   * Sets a value that expires after {@code ttl}, zero or less to remove it, and returns the old
   * one. Redis' {@code SET key value GET PX}. Atomic; two reads and one write. An expired value
   * counts as none.
   *
   * <pre>{@code
   * String former = token.getAndSet(next, ofHours(1));
   * }</pre>
   *
   * @return the old value, or null
   */
  public @Nullable T getAndSet(T value, Duration ttl) {
    return writes.exchange(NoContent.HERE, value, space.expiryMillis(ttl));
  }

  /**
   * Sets the value to {@code next} if it equals {@code expected}. In both, null means no value.
   *
   * @return whether it was set
   */
  public boolean compareAndSet(@Nullable T expected, @Nullable T next) {
    if (expected == null) {
      return next == null ? !isPresent() : writes.putIfAbsent(NoContent.HERE, next) == null;
    }
    return next == null
        ? writes.remove(NoContent.HERE, expected)
        : writes.replace(NoContent.HERE, expected, next, RecordChange.KEPT_EXPIRY);
  }

  /**
   * Sets the value to {@code next}, which expires after {@code ttl}, if it equals {@code expected};
   * null means no value. A ttl of zero or less removes the value. Valkey's {@code SET key next IFEQ
   * expected PX}. Atomic; two reads and one write. An expired value counts as none.
   *
   * <pre>{@code
   * boolean mine = leader.compareAndSet("node-1", "node-1", ofSeconds(30)); // extends the lease
   * }</pre>
   *
   * @return whether the value was {@code expected}
   */
  public boolean compareAndSet(@Nullable T expected, T next, Duration ttl) {
    long expiryMillis = space.expiryMillis(ttl);
    return expected == null
        ? writes.putIfAbsent(NoContent.HERE, next, expiryMillis) == null
        : writes.replace(NoContent.HERE, expected, next, expiryMillis);
  }

  /**
   * Adds {@code by} to the value, or to 0 if there is none, and keeps its expiry. Redis' {@code
   * INCRBY}. Types, cost and errors are those of {@link PersistentMap#increment(Object, long)}.
   *
   * @return the new value
   */
  public T increment(long by) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.defaultExpiryMillis());
  }

  /** Like {@link #increment(long)}; a new value expires after {@code ttl}. */
  public T increment(long by, Duration ttl) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Adds a fraction to the value, or to 0 if there is none, and keeps its expiry. Redis' {@code
   * INCRBYFLOAT}. Types, cost and errors are those of {@link PersistentMap#increment(Object,
   * double)}.
   *
   * <pre>{@code
   * pool.value("total", BigDecimal.class).increment(0.1);
   * }</pre>
   *
   * @return the new value
   */
  public T increment(double by) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.defaultExpiryMillis());
  }

  /** Like {@link #increment(double)}; a new value expires after {@code ttl}. */
  public T increment(double by, Duration ttl) {
    return writes.increment(NoContent.HERE, Addition.of(by), space.expiryMillis(ttl));
  }

  /**
   * Sets the value to the result of {@code function}; null means no value, as argument and as
   * result. The function runs without a lock, and again if the value changed during the call.
   *
   * @return the new value, or null
   */
  public @Nullable T updateAndGet(UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    return writes.update(NoContent.HERE, function).after();
  }

  /** Like {@link #updateAndGet}, but returns the old value, or null. */
  public @Nullable T getAndUpdate(UnaryOperator<@Nullable T> function) {
    Objects.requireNonNull(function, "function");
    return writes.update(NoContent.HERE, function).before();
  }

  /** Notifies {@code listener} of changes of this process until the registration is closed. */
  public Registration addListener(ValueListener<? super T> listener) {
    Objects.requireNonNull(listener, "listener");
    return writes.listeners().add((key, before, after) -> listener.onChange(before, after));
  }
}

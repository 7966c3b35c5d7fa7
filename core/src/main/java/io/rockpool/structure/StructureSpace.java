package io.rockpool.structure;

import io.rockpool.codec.Codec;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineLimits;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreClosedException;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.internal.logging.ShownKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The space of one structure, until it is closed. */
final class StructureSpace {
  /** The time to live of an element that never expires. */
  static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  /**
   * Maximum number of elements that a combination of sets reads and writes in one transaction. They
   * are in memory, and other writers of these sets wait.
   */
  static final long MAX_ATOMIC_ELEMENTS = 16_384;

  /** How often a waiting thread looks while changes of other handles may go unreported. */
  private static final long UNREPORTED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String type;
  private final Space space;
  private final Map<String, String> shape;
  private final Engine engine;
  private final boolean shared;
  private final StructureOptions options;
  private final @Nullable Duration entryTtl;
  private final BooleanSupplier feedLost;
  private final List<Runnable> wakers = new CopyOnWriteArrayList<>();

  /** Empty until a user function decides on a record. */
  private final AtomicReference<@Nullable RecursionGuard> recursion = new AtomicReference<>();

  private volatile @Nullable String closed;

  /**
   * Creates an open space.
   *
   * @param type the type for messages: map, set, …
   * @param shape the layout attributes of its descriptor
   * @param feedLost whether changes of other handles of the store may go unreported
   */
  StructureSpace(
      String type,
      Space space,
      Map<String, String> shape,
      Engine engine,
      StructureOptions options,
      BooleanSupplier feedLost) {
    this.type = type;
    this.space = options.durability() == null ? space : space.withDurability(options.durability());
    this.shape = shape;
    this.engine = engine;
    this.shared = has(Capability.SHARED);
    this.options = options;
    this.entryTtl = options.entryTtl();
    this.feedLost = feedLost;
  }

  String name() {
    return space.name();
  }

  Map<String, String> shape() {
    return shape;
  }

  /** Its options, with those that are kept with its name. */
  StructureOptions options() {
    return options;
  }

  InstantSource clock() {
    return engine.clock();
  }

  /** The longest keys and values that the engine takes. */
  EngineLimits limits() {
    return engine.limits();
  }

  /** Whether the calling thread is inside a transaction over several rows. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  /** Whether the store's engine has a capability. */
  boolean has(Capability capability) {
    return engine.capabilities().contains(capability);
  }

  /** Whether other handles may change the data; see {@link Capability#SHARED}. */
  boolean isShared() {
    return shared;
  }

  /**
   * Runs an action after the calling thread's transaction has committed; immediately without one.
   */
  void afterCommit(Runnable action) {
    engine.afterCommit(action);
  }

  /** Runs an action after the calling thread's transaction has ended, committed or not. */
  void afterTransaction(Runnable action) {
    engine.afterTransaction(action);
  }

  /** Runs {@code work} as one transaction over any structures of the store. */
  <R extends @Nullable Object> R atomically(Supplier<R> work) {
    return engine.atomically(work);
  }

  /**
   * Runs {@code work} as one transaction if the engine supports that, and for at most {@link
   * #MAX_ATOMIC_ELEMENTS} elements; otherwise does not run it. Inside a transaction it joins that
   * one, with any number of elements.
   *
   * @param elements counts them, also inside the transaction
   * @return the result, or empty if {@code work} did not run
   */
  <R> Optional<R> atomicallyIfFew(LongSupplier elements, Supplier<R> work) {
    if (inTransaction()) {
      return Optional.of(work.get());
    }
    if (!has(Capability.MULTI_ROW_TRANSACTIONS) || elements.getAsLong() > MAX_ATOMIC_ELEMENTS) {
      return Optional.empty();
    }
    return atomically(
        () ->
            elements.getAsLong() > MAX_ATOMIC_ELEMENTS
                ? Optional.empty()
                : Optional.of(work.get()));
  }

  /** Whether a structure is in the same store, so that one transaction can include both. */
  boolean isInSameStoreAs(StructureSpace other) {
    return engine == other.engine;
  }

  /**
   * Registers what wakes the structure's waiting threads. It runs when the structure is closed, and
   * when another handle of the store has changed it.
   */
  void wakeBy(Runnable waking) {
    wakers.add(waking);
  }

  /** Wakes waiting threads: they look again. */
  void wake() {
    wakers.forEach(Runnable::run);
  }

  /** Throws if the calling thread, which is about to wait, is inside a transaction. */
  void refuseToWaitInTransaction() {
    if (inTransaction()) {
      throw new IllegalStateException(
          this
              + " was asked to wait inside a transaction, which would hold up whoever it waits for;"
              + " use offer and poll there.");
    }
  }

  /** Nanoseconds after which a waiting thread looks again by itself. */
  long nanosToLook() {
    return feedLost.getAsBoolean() ? UNREPORTED_LOOK_NANOS : Long.MAX_VALUE;
  }

  /** The open space, also after it was closed. */
  Space space() {
    return space;
  }

  /**
   * The open space. Call it for each use.
   *
   * @throws IllegalStateException if it is closed
   */
  Space use() {
    String message = closed;
    if (message != null) {
      throw new StoreClosedException(message);
    }
    return space;
  }

  /**
   * Runs a transaction on a row; see {@link Space#transact}.
   *
   * @throws IllegalStateException if the calling thread is inside a decision on a record and
   *     changes that record; nothing is changed
   */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    RecursionGuard guard = recursion.get();
    return use()
        .transact(hashKey, guard == null ? transaction : guard.guarded(hashKey, transaction));
  }

  /** Calls a user function that decides on a record and must not change it. */
  <R extends @Nullable Object> R deciding(byte[] hashKey, byte[] sortKey, Supplier<R> function) {
    RecursionGuard guard = recursion.get();
    if (guard == null) {
      RecursionGuard made = new RecursionGuard();
      RecursionGuard other = recursion.compareAndExchange(null, made);
      guard = other == null ? made : other;
    }
    return guard.deciding(hashKey, sortKey, function);
  }

  /** The number of counted records, or empty if the structure is closed or inside a transaction. */
  OptionalLong count() {
    if (inTransaction()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Buckets.of(shape).count(use()));
    } catch (IllegalStateException e) {
      if (isClosed()) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  /**
   * Closes the space: {@link #use} throws from now on. {@code why} follows the name in the message.
   */
  void close(String why) {
    closed = this + " " + why;
    wake();
  }

  boolean isClosed() {
    return closed != null;
  }

  /** Clears the structure at an instant; a past instant clears it immediately. */
  void clearAt(Instant when) {
    expireAt(expiryMillis(when));
  }

  void clearAfter(Duration ttl) {
    expireAt(expiryMillis(ttl));
  }

  private void expireAt(long expiryMillis) {
    try {
      use().expireAt(expiryMillis);
    } finally {
      wake(); // a thread that waits for room knows an earlier time now
    }
  }

  /** Like {@link #clearAt(Instant)}, on a condition; returns whether it held. */
  boolean clearAt(Instant when, ExpiryCondition condition) {
    return expireAtIf(expiryMillis(when), condition);
  }

  boolean clearAfter(Duration ttl, ExpiryCondition condition) {
    return expireAtIf(expiryMillis(ttl), condition);
  }

  private boolean expireAtIf(long expiryMillis, ExpiryCondition condition) {
    Objects.requireNonNull(condition, "condition");
    try {
      return use().expireAtIf(expiryMillis, present -> condition.allows(present, expiryMillis));
    } finally {
      wake();
    }
  }

  void cancelClear() {
    use().expireAt(Expiry.NEVER);
  }

  /** When the whole structure expires, or never. */
  long expiryMillis() {
    return use().info().expiresMillis();
  }

  /** The remaining time until the structure is cleared; empty if it will not be. */
  Optional<Duration> clearsIn() {
    long expiryMillis = expiryMillis();
    return expiryMillis == Expiry.NEVER ? Optional.empty() : ttl(expiryMillis, clock());
  }

  /** The expiry of an element that is put now with the default time to live. */
  long defaultExpiryMillis() {
    return entryTtl == null ? Expiry.NEVER : Expiry.after(clock(), entryTtl);
  }

  /** The expiry of an element that lives for {@code ttl} from now; 0 if ttl is not positive. */
  long expiryMillis(Duration ttl) {
    return Expiry.after(clock(), Objects.requireNonNull(ttl, "ttl"));
  }

  /**
   * The expiry at an instant: 0 if it is past, never if it is beyond the largest supported time.
   */
  long expiryMillis(Instant when) {
    if (Objects.requireNonNull(when, "when").getEpochSecond() > Expiry.MAX_MILLIS / 1000) {
      return Expiry.NEVER;
    }
    return when.isAfter(clock().instant()) ? when.toEpochMilli() : 0;
  }

  /** The time from now until an expiry; empty if it has passed since the expiry was read. */
  static Optional<Duration> ttl(long expiryMillis, InstantSource clock) {
    if (expiryMillis == Expiry.NEVER) {
      return Optional.of(FOREVER);
    }
    long millis = expiryMillis - clock.millis();
    return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
  }

  /** Encodes a key or value; an exception has the structure's name. */
  <T> byte[] encode(Codec<T> codec, T value) {
    try {
      return codec.encode(value);
    } catch (UnencodableValueException e) {
      String why = this + " cannot keep an object. " + e.getMessage();
      throw new UnencodableValueException(why, name(), e.className().orElse(null), e);
    }
  }

  /**
   * The exception for a key or value that cannot be decoded, with the structure's name and the key.
   */
  UndecodableValueException undecodable(byte[] key, UndecodableValueException cause) {
    return undecodable(key, cause, "");
  }

  /** Like {@link #undecodable}, for a value of a map, table or {@code PersistentValue}. */
  UndecodableValueException undecodableValue(byte[] key, UndecodableValueException cause) {
    String writes =
        switch (type) {
          case "table" -> "put overwrites it and remove removes it";
          case "value" -> "set overwrites it and clear removes it";
          default -> "putAll overwrites it and removeAll removes it";
        };
    return undecodable(key, cause, " Its value is kept; " + writes + " without reading it.");
  }

  private UndecodableValueException undecodable(
      byte[] key, UndecodableValueException cause, String advice) {
    String shown = ShownKey.of(key);
    return new UndecodableValueException(
        "An element of the "
            + label()
            + " cannot be decoded, key "
            + shown
            + ": "
            + cause.getMessage()
            + advice,
        name(),
        null,
        shown,
        cause);
  }

  private String label() {
    return type + " \"" + name() + "\"";
  }

  /** The type and name, as the start of a sentence. */
  @Override
  public String toString() {
    return "The " + label();
  }
}

package io.rockpool.structure;

import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.Space;
import io.rockpool.error.ShownKey;
import io.rockpool.error.UndecodableValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The space of one structure, until it is closed. */
final class StructureSpace {
  /**
   * How many elements a combination of sets reads and writes at most as one transaction: those lie
   * in memory, and nobody else writes to any of the sets meanwhile.
   */
  static final long MAX_ATOMIC_ELEMENTS = 16_384;

  private final String type;
  private final Space space;
  private final Map<String, String> shape;
  private final Engine engine;
  private final @Nullable Duration entryTtl;
  private final List<Runnable> onClose = new CopyOnWriteArrayList<>();
  private final RecursionGuard recursion = new RecursionGuard();
  private volatile @Nullable String closed;

  /**
   * An open space.
   *
   * @param type what it is, for messages: map, set, …
   * @param shape what its descriptor says of how its records lie
   */
  StructureSpace(
      String type,
      Space space,
      Map<String, String> shape,
      Engine engine,
      StructureOptions options) {
    this.type = type;
    this.space = options.durability() == null ? space : space.withDurability(options.durability());
    this.shape = shape;
    this.engine = engine;
    this.entryTtl = options.entryTtl();
  }

  String name() {
    return space.name();
  }

  Map<String, String> shape() {
    return shape;
  }

  InstantSource clock() {
    return engine.clock();
  }

  /** Whether the calling thread is inside a transaction over several rows. */
  boolean inTransaction() {
    return engine.inTransaction();
  }

  /** Whether the store's engine can do something. */
  boolean has(Capability capability) {
    return engine.capabilities().contains(capability);
  }

  /** Runs an action once what the calling thread is doing is done for good. */
  void afterCommit(Runnable action) {
    engine.afterCommit(action);
  }

  /** Runs an action once what the calling thread is doing has ended, well or not. */
  void afterTransaction(Runnable action) {
    engine.afterTransaction(action);
  }

  /** Runs {@code work} as one transaction over any structures of the store. */
  <R extends @Nullable Object> R atomically(Supplier<R> work) {
    return engine.atomically(work);
  }

  /**
   * Runs {@code work} as one transaction if the engine has them, and it is about no more than
   * {@link #MAX_ATOMIC_ELEMENTS}; else not at all. Inside a transaction it is a part of that,
   * however much it is about.
   *
   * @param elements counts them, in the transaction, too
   * @return what it returned, or empty if it did not run
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

  /** Whether a structure lies in the same store, so that a transaction can span both. */
  boolean isInSameStoreAs(StructureSpace other) {
    return engine == other.engine;
  }

  /** Runs an action when the structure is closed: whoever waits for it has to be told. */
  void onClose(Runnable action) {
    onClose.add(action);
  }

  /** The space, to be asked for at each use: throws if it is closed. */
  Space use() {
    String message = closed;
    if (message != null) {
      throw new IllegalStateException(message);
    }
    return space;
  }

  /**
   * Runs a transaction on a row; see {@link Space#transact}.
   *
   * @throws IllegalStateException if it is for a function that was called to decide on a record,
   *     and changes that record; nothing is changed
   */
  <R extends @Nullable Object> R transact(byte[] hashKey, RowTransaction<R> transaction) {
    return use().transact(hashKey, recursion.guarded(hashKey, transaction));
  }

  /** Calls a function of a user's that decides on a record, and must not change it. */
  <R extends @Nullable Object> R deciding(byte[] hashKey, byte[] sortKey, Supplier<R> function) {
    return recursion.deciding(hashKey, sortKey, function);
  }

  /** How many counted records there are, or empty if it is closed or inside a transaction. */
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

  /** From now on {@link #use} throws; {@code why} ends a sentence that begins with the name. */
  void close(String why) {
    closed = this + " " + why;
    onClose.forEach(Runnable::run);
  }

  boolean isClosed() {
    return closed != null;
  }

  /** Lets everything end at an instant; what is past clears the space. */
  void expireAt(Instant when) {
    use().expireAt(expiryMillis(when));
  }

  void expireAfter(Duration ttl) {
    use().expireAt(expiryMillis(ttl));
  }

  void persist() {
    use().expireAt(Expiry.NEVER);
  }

  /** When everything ends, or never. */
  long expiryMillis() {
    return use().info().expiresMillis();
  }

  /** How much longer everything lives. */
  Duration ttl() {
    return ttl(expiryMillis());
  }

  /** When an element ends that is put now without saying it. */
  long defaultExpiryMillis() {
    return entryTtl == null ? Expiry.NEVER : Expiry.after(clock(), entryTtl);
  }

  /** When an element ends that lives for {@code ttl} from now on; 0 if that is not positive. */
  long expiryMillis(Duration ttl) {
    return Expiry.after(clock(), Objects.requireNonNull(ttl, "ttl"));
  }

  /** The expiry at an instant: 0 if that is past, never if it is too far off to be kept. */
  long expiryMillis(Instant when) {
    if (Objects.requireNonNull(when, "when").getEpochSecond() > Expiry.MAX_MILLIS / 1000) {
      return Expiry.NEVER;
    }
    return when.isAfter(clock().instant()) ? when.toEpochMilli() : 0;
  }

  /** How much longer something lives. */
  Duration ttl(long expiryMillis) {
    return expiryMillis == Expiry.NEVER
        ? PersistentStructure.FOREVER
        : Duration.ofMillis(Math.max(0, expiryMillis - clock().millis()));
  }

  /** The error for a key or value that cannot be decoded, with the structure's name and the key. */
  UndecodableValueException undecodable(byte[] key, UndecodableValueException cause) {
    return new UndecodableValueException(
        "An element of the "
            + label()
            + " cannot be decoded, key "
            + ShownKey.of(key)
            + ": "
            + cause.getMessage(),
        cause);
  }

  private String label() {
    return type + " \"" + name() + "\"";
  }

  /** The beginning of a sentence. */
  @Override
  public String toString() {
    return "The " + label();
  }
}

package io.rockpool;

import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.engine.Engine;
import io.rockpool.error.UnencodableValueException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The methods of {@link Rockpool} that run transactions. */
abstract class StoreTransactions extends StoreBackups {
  /** Hidden, so that only {@link Rockpool} extends this. */
  StoreTransactions() {}

  /**
   * Runs {@code work} as one transaction over everything in this store. All its changes are applied
   * when this method returns, or none if it throws. No other thread changes what the transaction
   * has read or written before it commits. {@code work} may run more than once, so it should depend
   * only on what it reads here and have no other effects. Use {@link Transaction#afterCommit} for
   * other effects. One write.
   *
   * <p><b>What joins.</b> Every read and write of keys, elements and rows, and {@code atomically}
   * inside it.
   *
   * <p><b>What is refused</b> with an {@link IllegalStateException}: clearing or expiring a whole
   * cache or structure, iterating over a cache, snapshots, opening a name that is not open, {@link
   * Rockpool#drop}, {@link Rockpool#dropLevel}, {@link Rockpool#withDurability}, {@link
   * Rockpool#reclaim}, {@link Rockpool#verify} and {@link Rockpool#close()}. Call them before or
   * after the transaction; for a durability, call {@link Rockpool#withDurability} around it.
   *
   * <p><b>Threads.</b> A transaction belongs to the thread that calls {@code work}. Operations of
   * other threads do not join it, even if {@code work} started them: those of a {@code
   * parallelStream()}, an executor or a {@link java.util.concurrent.CompletableFuture}. They do not
   * see its changes, their writes are not undone with it, and nothing reports that. Another thread
   * that writes a row of the transaction waits for its end, so {@code work} must not wait for such
   * a thread: neither would continue. Collect what other threads compute before the transaction.
   *
   * <p>See {@link Engine#atomically} for the details.
   *
   * <pre>{@code
   * pool.atomically(
   *     tx -> {
   *       orders.put(order.id(), order);
   *       stock.compute(order.item(), (item, left) -> left - 1);
   *       tx.afterCommit(() -> mails.add(order.id()));
   *       return order.id();
   *     });
   * }</pre>
   *
   * @param work computes the result
   * @throws UnsupportedOperationException if the store's engine has no such transactions
   */
  public <R extends @Nullable Object> R atomically(
      Function<? super Transaction, ? extends R> work) {
    Objects.requireNonNull(work, "work");
    Engine engine = store().engine;
    Transaction transaction = engine::afterCommit;
    return engine.<R>atomically(() -> work.apply(transaction));
  }

  /**
   * Like {@link #atomically}, without a result.
   *
   * @throws UnsupportedOperationException if the store's engine has no such transactions
   */
  public void runAtomically(Consumer<? super Transaction> work) {
    Objects.requireNonNull(work, "work");
    this.<@Nullable Void>atomically(
        transaction -> {
          work.accept(transaction);
          return null;
        });
  }

  /**
   * Runs {@code work} once for a key: the first call that succeeds runs it and stores its result;
   * later calls return the stored result and do not run it.
   *
   * <pre>{@code
   * Receipt receipt =
   *     pool.once(
   *         "pay/" + order.id(),
   *         ofDays(1),
   *         tx -> {
   *           accounts.merge(order.customer(), -order.cents(), Long::sum);
   *           return new Receipt(order.id(), order.cents());
   *         });
   * }</pre>
   *
   * <p><b>Atomicity.</b> {@code work} is one transaction, as in {@link #atomically}: its changes in
   * this store and its result are stored together or not at all. If it throws, or if the process is
   * killed before the commit, nothing is kept and the next call runs it. Effects outside of this
   * store happen again then. As in {@link #atomically}, it may run more than once because of a
   * conflict; one run has an effect. Inside {@link #atomically} it joins: the result is stored if
   * and when the outer transaction commits.
   *
   * <p><b>Threads.</b> While one thread runs {@code work}, other threads with the same key wait and
   * return its result. If it throws, the next of them runs its own {@code work}. Calls with other
   * keys run at the same time. Two processes that share a store may both run {@code work}; one of
   * the runs is discarded.
   *
   * <p><b>Results</b> may be null, or of any class that the store's codecs can store. A later call
   * gets an equal copy. Calls with one key should ask for one type.
   *
   * <p><b>Cost.</b> One read if there is a result, else a transaction with one more read and write.
   * Results are in the table {@code rockpool:once}, which {@link Rockpool#list} shows; {@link
   * Rockpool#drop} of that name forgets all of them.
   *
   * @param key names the work, in this store; at most as long as any key
   * @param ttl how long the result is kept, from the moment {@code work} has returned; {@link
   *     io.rockpool.structure.PersistentStructure#FOREVER} keeps it
   * @param work computes the result
   * @throws IllegalArgumentException if {@code ttl} is not positive
   * @throws IllegalStateException inside {@code work} of the same key
   * @throws UnencodableValueException if the result cannot be stored; nothing is kept
   * @throws io.rockpool.error.UndecodableValueException if the class of the stored result has
   *     changed so that it cannot be read; {@link #forgetOnce} removes it
   * @throws UnsupportedOperationException if the store's engine has no transactions over many rows
   */
  public <R extends @Nullable Object> R once(
      String key, Duration ttl, Function<? super Transaction, ? extends R> work) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(work, "work");
    if (ttl.isNegative() || ttl.isZero()) {
      throw new IllegalArgumentException(
          "The ttl of a result is " + ttl + "; give a positive one.");
    }
    OpenStore store = store();
    R result = store.once.<R>run(key, ttl, store.engine::afterCommit, work);
    ClassLoader own = loader();
    return own == null ? result : inClassesOf(own, result, store.codecs);
  }

  /** Another application of the process may have opened the store, and decodes its results. */
  @SuppressWarnings({"unchecked", "NullAway"}) // as the function returned it
  private static <R extends @Nullable Object> R inClassesOf(
      ClassLoader loader, R result, Codecs codecs) {
    if (result == null) {
      return result;
    }
    TypeRef<Object> any = TypeRef.of(Object.class);
    byte[] bytes = codecs.valueCodec(any).encode(result);
    return (R) codecs.withClassLoader(loader).valueCodec(any).decode(bytes, 0, bytes.length);
  }

  /**
   * Removes the result that {@link #once} has stored for a key, so that the next call runs again.
   * Joins {@link #atomically}.
   *
   * @return whether there was one
   */
  public boolean forgetOnce(String key) {
    return store().once.forget(Objects.requireNonNull(key, "key"));
  }
}

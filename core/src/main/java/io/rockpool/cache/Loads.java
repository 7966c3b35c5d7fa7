package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Lease;
import io.rockpool.engine.LeasedRead;
import io.rockpool.engine.RowRecord;
import io.rockpool.internal.concurrent.WaitGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The running loads of one cache, at most one for each key. A thread that needs a key that is being
 * loaded waits for that load. Loads in transactions are registered here, too, so that a write
 * supersedes them, but no other thread waits for them.
 */
final class Loads {
  /** One running load. */
  static final class Load implements WaitGraph.Awaited {
    private final CompletableFuture<@Nullable HotEntry> result = new CompletableFuture<>();
    private final long begunNanos = System.nanoTime();

    /** The epoch of tags when it began; see {@link TagMarks}. */
    final long tagEpoch;

    private volatile @Nullable Thread loader = Thread.currentThread();

    /**
     * What storing the value of a load beside the cache needs; null on an engine without leases.
     */
    private final @Nullable LeasedRead read;

    private volatile boolean superseded;
    private volatile boolean changedElsewhere;

    Load(long tagEpoch) {
      this(tagEpoch, null);
    }

    private Load(long tagEpoch, @Nullable LeasedRead read) {
      this.tagEpoch = tagEpoch;
      this.read = read;
    }

    /** The lease that storing the value needs; null for none, or if the load does not keep it. */
    @Nullable Lease lease() {
      return read == null ? null : read.lease();
    }

    /** Notes that the key was written since the load began, if it has another record than then. */
    void supersedeUnlessSame(@Nullable RowRecord now) {
      if (read != null && read.lease() != null && !RowRecord.isSame(read.record(), now)) {
        superseded = true;
      }
    }

    /** Notes that the key was written since the load began. */
    void supersede() {
      superseded = true;
    }

    /**
     * Whether the key was written or removed since the load began, so its value must not be stored.
     */
    boolean isSuperseded() {
      return superseded || changedElsewhere;
    }

    /**
     * Whether this process has written or removed the key since the load began. A lease knows the
     * writes of others; what they report may be older than the lease.
     */
    boolean isSupersededHere() {
      return superseded;
    }

    /**
     * Whether this load began before a write. {@code writing} is the load that writes; null for
     * none.
     */
    private boolean isBefore(@Nullable Load writing) {
      return writing == null || (this != writing && begunNanos - writing.begunNanos <= 0);
    }

    boolean isDone() {
      return result.isDone();
    }

    /** Records that from now on no thread runs the loader: its result completes asynchronously. */
    void leaveThread() {
      loader = null;
    }

    /** Completes the load for the threads that wait for it. */
    void complete(@Nullable HotEntry entry) {
      result.complete(entry);
    }

    /** Fails the load; the threads that wait for it get the same exception. */
    void fail(Throwable cause) {
      result.completeExceptionally(cause);
    }

    /**
     * The result, for a caller that does not wait.
     *
     * @throws IllegalStateException if this thread runs the loader, which would wait for itself
     */
    CompletableFuture<@Nullable HotEntry> result() {
      if (loader == Thread.currentThread() && !isDone()) {
        throw recursion();
      }
      return result;
    }

    /**
     * Waits for the load of another thread; throws what its loader has thrown.
     *
     * @throws IllegalStateException if the load waits for a load that this thread runs, or for
     *     something that this thread has locked
     */
    @Nullable HotEntry await() {
      if (!isDone()) {
        WaitGraph.Awaited held = WaitGraph.begin(this);
        if (held != null) {
          throw held instanceof Load ? recursion() : deadlock(held);
        }
        try {
          result.handle((entry, error) -> entry).join();
        } finally {
          WaitGraph.end();
        }
      }
      Throwable error = result.handle((entry, thrown) -> thrown).join();
      if (error != null) {
        throw Load.<RuntimeException>rethrown(error);
      }
      return result.join();
    }

    /** The thread that runs the loader, until the load is complete. */
    @Override
    public @Nullable Thread holder() {
      return isDone() ? null : loader;
    }

    @Override
    public String toString() {
      return "loads a key";
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only for the compiler
    private static <E extends Throwable> E rethrown(Throwable error) throws E {
      throw (E) error;
    }
  }

  /** Calls a loader; a checked exception becomes the cause of a {@link CompletionException}. */
  static <K, V> @Nullable V call(ValueLoader<? super K, ? extends @Nullable V> loader, K key) {
    try {
      return loader.load(key);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private final SpaceLoads space;
  private final Engine engine;
  private final ConcurrentHashMap<EntryKey, Load> running = new ConcurrentHashMap<>();

  /** Loads in transactions, until these have ended: of each key, the last one of each thread. */
  private final ConcurrentHashMap<EntryKey, Map<Thread, Load>> inTransactions =
      new ConcurrentHashMap<>();

  /** At least their number. A map that other threads change does not know its own. */
  private final AtomicInteger inTransactionsCount = new AtomicInteger();

  /** Loads that a layer above the cache runs itself; no other thread waits for them. */
  private final ConcurrentHashMap<EntryKey, List<Load>> beside = new ConcurrentHashMap<>();

  /** Whether a load ever began: until then, writes need not look for loads to supersede. */
  volatile boolean used;

  private volatile boolean closed;

  Loads(SpaceLoads space, Engine engine) {
    this.space = space;
    this.engine = engine;
  }

  /**
   * The running load of the key; or null, and {@code mine} is registered as that.
   *
   * @throws IllegalStateException if this thread already loads the key in its transaction
   */
  @Nullable Load join(EntryKey key, Load mine) {
    markUsed(); // first: a write that does not see this comes before the load
    EntryKey bytes = key.byBytes();
    if (engine.inTransaction()) {
      // Another thread's load may wait for a lock of the transaction, and its own load is for
      // itself only.
      registerOwn(bytes, Thread.currentThread(), mine);
      return null;
    }
    Load there = running.putIfAbsent(bytes, mine);
    if (there == null && space.isChanging(bytes)) {
      mine.superseded = true;
    }
    return there;
  }

  private void markUsed() {
    if (!used) {
      used = true;
    }
  }

  private void registerOwn(EntryKey key, Thread thread, Load mine) {
    Load outer = running.get(key);
    Load before = inTransactions.getOrDefault(key, Map.of()).get(thread);
    if ((outer != null && outer.loader == thread && !outer.isDone())
        || (before != null && !before.isDone())) {
      throw recursion();
    }
    inTransactionsCount.incrementAndGet();
    inTransactions.merge(key, Map.of(thread, mine), Loads::union);
    // Until then no removal sees what the transaction has stored.
    engine.afterTransaction(
        () -> {
          // Removals no longer see an asynchronous load that outlives the transaction, so it is
          // superseded.
          mine.superseded = mine.superseded || !mine.isDone();
          forgetOwn(key, thread, mine);
          inTransactionsCount.decrementAndGet();
          leaveIfOver();
        });
  }

  private static Map<Thread, Load> union(Map<Thread, Load> some, Map<Thread, Load> more) {
    Map<Thread, Load> all = new HashMap<>(some);
    all.putAll(more);
    return Map.copyOf(all);
  }

  /** Forgets the load, unless its thread has loaded the key again. */
  private void forgetOwn(EntryKey key, Thread thread, Load mine) {
    inTransactions.computeIfPresent(
        key,
        (bytes, all) -> {
          Map<Thread, Load> left = new HashMap<>(all);
          left.remove(thread, mine);
          return left.isEmpty() ? null : Map.copyOf(left);
        });
  }

  static IllegalStateException recursion() {
    return new IllegalStateException(
        "Recursive load: a loader asked for a key whose load waits for this loader. Get the value elsewhere.");
  }

  private static IllegalStateException deadlock(WaitGraph.Awaited held) {
    return new IllegalStateException(
        "Deadlock: this thread "
            + held
            + " and asked for a key whose load waits for this thread. Ask for no key that must be loaded in a"
            + " synchronous listener, an entry processor, a CacheWriter or a transaction of another store.");
  }

  /**
   * Begins a load that writes supersede like the others, and for which no thread waits.
   *
   * @param read what was read of the key, with the lease; null if it needs none
   */
  Load beginBeside(EntryKey key, long tagEpoch, @Nullable LeasedRead read) {
    EntryKey bytes = key.byBytes();
    Load mine = new Load(tagEpoch, read);
    markUsed();
    beside.merge(bytes, List.of(mine), Loads::concat);
    if (!engine.inTransaction() && space.isChanging(bytes)) {
      mine.superseded = true;
    }
    return mine;
  }

  private static List<Load> concat(List<Load> some, List<Load> more) {
    List<Load> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /**
   * Ends such a load; in a transaction after that has ended, because its value is visible only
   * then.
   */
  void endBeside(EntryKey key, Load mine) {
    if (engine.inTransaction()) {
      engine.afterTransaction(() -> forgetBeside(key, mine));
    } else {
      forgetBeside(key, mine);
    }
  }

  private void forgetBeside(EntryKey key, Load mine) {
    beside.computeIfPresent(
        key,
        (bytes, all) -> {
          List<Load> left = all.stream().filter(load -> load != mine).toList();
          return left.isEmpty() ? null : left;
        });
    leaveIfOver();
  }

  void end(EntryKey key, Load mine) {
    running.remove(key, mine);
    leaveIfOver();
  }

  /** Closes the loads: after the last one has ended, removals need not check this cache. */
  void close() {
    closed = true;
    leaveIfOver();
  }

  private void leaveIfOver() {
    if (closed
        && inTransactionsCount.get() == 0
        && !running.keys().hasMoreElements()
        && !beside.keys().hasMoreElements()) {
      space.remove(this);
    }
  }

  /**
   * Supersedes the load of a key that is written or removed: it must not be stored, and no thread
   * joins it any more. Returns whether there was one.
   *
   * @param writing the load whose value is written, which supersedes only older ones; null for any
   *     other write
   */
  boolean supersede(EntryKey key, @Nullable Load writing) {
    boolean found = false;
    Load load = running.get(key);
    if (load != null && load.isBefore(writing)) {
      load.superseded = true;
      running.remove(key, load);
      found = true;
    }
    for (Load other : beside.getOrDefault(key, List.of())) {
      if (other.isBefore(writing)) {
        other.superseded = true;
        found = true;
      }
    }
    if (inTransactionsCount.get() > 0) {
      for (Load own : inTransactions.getOrDefault(key, Map.of()).values()) {
        if (own.isBefore(writing)) {
          own.superseded = true;
          found = true;
        }
      }
    }
    return found;
  }

  /**
   * As {@link #supersede}, because another handle of the store has written or removed the key. A
   * load with a lease may still be stored.
   */
  void supersedeElsewhere(EntryKey key) {
    Load load = running.get(key);
    if (load != null) {
      load.changedElsewhere = true;
      running.remove(key, load);
    }
    beside.getOrDefault(key, List.of()).forEach(other -> other.changedElsewhere = true);
    if (inTransactionsCount.get() > 0) {
      inTransactions
          .getOrDefault(key, Map.of())
          .values()
          .forEach(own -> own.changedElsewhere = true);
    }
  }

  void supersedeAll() {
    running.values().removeIf(load -> load.superseded = true);
    inTransactions.values().forEach(all -> all.values().forEach(load -> load.superseded = true));
    beside.values().forEach(all -> all.forEach(load -> load.superseded = true));
  }

  /** Whether a load of the key runs. Costs almost nothing while there is no load of any key. */
  boolean isLoading(EntryKey key) {
    return running.containsKey(key)
        || beside.containsKey(key)
        || (inTransactionsCount.get() > 0 && inTransactions.containsKey(key));
  }
}

package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.internal.concurrent.WaitGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running loads of one cache, at most one for each key: a thread that asks for a key that is
 * being loaded waits for that load. A load in a transaction is known here too, so that a write
 * supersedes it, but no other thread waits for it.
 */
final class Loads {
  /** One running load. */
  static final class Load implements WaitGraph.Awaited {
    private final CompletableFuture<@Nullable HotEntry> result = new CompletableFuture<>();
    private final long begunNanos = System.nanoTime();
    private volatile @Nullable Thread loader = Thread.currentThread();
    private volatile boolean superseded;

    /**
     * Whether the key was written or removed since the load began, so that what it loads must not
     * be stored.
     */
    boolean isSuperseded() {
      return superseded;
    }

    /** Whether this load began before a write; {@code writing} is the load that writes, if any. */
    private boolean isBefore(@Nullable Load writing) {
      return writing == null || (this != writing && begunNanos - writing.begunNanos <= 0);
    }

    boolean isDone() {
      return result.isDone();
    }

    /** Notes that from now on no thread runs the loader: its result will come by itself. */
    void leaveThread() {
      loader = null;
    }

    /** Ends the load for those who wait for it. */
    void complete(@Nullable HotEntry entry) {
      result.complete(entry);
    }

    /** Ends the load for those who wait for it: they get the same exception. */
    void fail(Throwable cause) {
      result.completeExceptionally(cause);
    }

    /**
     * The result, for a caller that does not wait.
     *
     * @throws IllegalStateException if this thread runs the loader, which then waits for itself
     */
    CompletableFuture<@Nullable HotEntry> result() {
      if (loader == Thread.currentThread() && !isDone()) {
        throw recursion();
      }
      return result;
    }

    /**
     * Waits for the load that another thread runs; throws what its loader threw.
     *
     * @throws IllegalStateException if the load waits for one that this thread runs, or for what it
     *     has locked
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

    /** The thread that runs the loader, until the load is done. */
    @Override
    public @Nullable Thread holder() {
      return isDone() ? null : loader;
    }

    @Override
    public String toString() {
      return "loads a key";
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // for the compiler alone
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

  /** Whose load in a transaction it is. */
  private record Own(ByteKey key, Thread thread) {}

  private final SpaceLoads space;
  private final Engine engine;
  private final ConcurrentHashMap<ByteKey, Load> running = new ConcurrentHashMap<>();

  /** Loads in transactions, until these have ended. */
  private final ConcurrentHashMap<Own, Load> inTransactions = new ConcurrentHashMap<>();

  /** Loads that a layer above the cache makes itself; no other thread waits for them. */
  private final ConcurrentHashMap<ByteKey, List<Load>> beside = new ConcurrentHashMap<>();

  private volatile boolean closed;

  Loads(SpaceLoads space, Engine engine) {
    this.space = space;
    this.engine = engine;
  }

  /**
   * The load that runs for the key, or null after having registered {@code mine} as that.
   *
   * @throws IllegalStateException if this thread loads the key in its transaction already
   */
  @Nullable Load join(EntryKey key, Load mine) {
    ByteKey bytes = key.byBytes();
    if (engine.inTransaction()) {
      // Another thread's load may wait for what the transaction holds; and its own is for it alone.
      registerOwn(new Own(bytes, Thread.currentThread()), mine);
      return null;
    }
    Load there = running.putIfAbsent(bytes, mine);
    if (there == null && space.isChanging(bytes)) {
      mine.superseded = true;
    }
    return there;
  }

  private void registerOwn(Own own, Load mine) {
    Load outer = running.get(own.key);
    Load before = inTransactions.get(own);
    if ((outer != null && outer.loader == own.thread && !outer.isDone())
        || (before != null && !before.isDone())) {
      throw recursion();
    }
    inTransactions.put(own, mine);
    // Until then a removal does not see what the transaction has stored.
    engine.afterTransaction(
        () -> {
          // A load that outlives it, as an asynchronous one may, would be out of a removal's sight.
          mine.superseded = mine.superseded || !mine.isDone();
          inTransactions.remove(own, mine);
          leaveIfOver();
        });
  }

  static IllegalStateException recursion() {
    return new IllegalStateException(
        "Recursive load: a loader asked for a key whose load waits for this loader; it must get the value elsewhere.");
  }

  private static IllegalStateException deadlock(WaitGraph.Awaited held) {
    return new IllegalStateException(
        "Deadlock: this thread "
            + held
            + " and asked for a key whose load waits for this thread. Ask for no key that must be loaded in a"
            + " synchronous listener, an entry processor, a CacheWriter or a transaction of another store.");
  }

  /** Begins a load that a write supersedes like the others, and for which no thread waits. */
  Load beginBeside(EntryKey key) {
    ByteKey bytes = key.byBytes();
    Load mine = new Load();
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

  /** Ends such a load; in a transaction once that has ended, since its value is seen only then. */
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

  /** Notes that the cache is closed: once its last load has ended, removals need not look here. */
  void close() {
    closed = true;
    leaveIfOver();
  }

  private void leaveIfOver() {
    if (closed && isEmpty()) {
      space.remove(this);
    }
  }

  /**
   * Notes that the key is being written or removed: a running load must not store what it loads,
   * and nobody joins it any more. Says whether there was one.
   *
   * @param writing the load whose value is written, which supersedes only those that began before
   *     it; null for any other write
   */
  boolean supersede(EntryKey key, @Nullable Load writing) {
    if (isEmpty()) {
      return false;
    }
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
    for (var own : inTransactions.entrySet()) {
      if (own.getKey().key.equals(key) && own.getValue().isBefore(writing)) {
        own.getValue().superseded = true;
        found = true;
      }
    }
    return found;
  }

  void supersedeAll() {
    running.values().removeIf(load -> load.superseded = true);
    inTransactions.values().forEach(load -> load.superseded = true);
    beside.values().forEach(all -> all.forEach(load -> load.superseded = true));
  }

  /** Whether a load of the key runs. Costs next to nothing while there is none of any key. */
  boolean isLoading(EntryKey key) {
    return !isEmpty()
        && (running.containsKey(key)
            || beside.containsKey(key)
            || inTransactions.keySet().stream().anyMatch(own -> own.key.equals(key)));
  }

  private boolean isEmpty() {
    return running.isEmpty() && inTransactions.isEmpty() && beside.isEmpty();
  }
}

package io.rockpool.internal.engine;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.store.DiskState;
import io.rockpool.store.LeakDetection;
import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.store.ServerState;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The background work of an {@link Engine} and its measurements, for the layers above. Rockpool's
 * engines implement it. For any other engine, the defaults apply. Thread-safe. Once the engine is
 * closed, the methods that read the store throw {@link IllegalStateException}.
 */
public interface EngineUpkeep {
  /**
   * Returns the upkeep of an engine.
   *
   * @return the engine itself if it implements this, else the defaults
   */
  static EngineUpkeep of(Engine engine) {
    return engine instanceof EngineUpkeep upkeep ? upkeep : engine::open;
  }

  /**
   * Opens a space like {@link Engine#open}, but does not record the time. For the background work
   * of a layer, see {@link #whenReclaiming}.
   *
   * @return the space, or null if the name does not exist
   */
  @Nullable Space openForUpkeep(String name);

  /**
   * Begins a transaction of the calling thread.
   *
   * @param rules decides about its time and its exceptions
   * @return the transaction, which the thread must end
   * @throws UnsupportedOperationException if the engine has no such transactions
   * @throws IllegalStateException inside another transaction that is not suspended
   */
  default BoundTransaction beginTransaction(BoundRules rules) {
    Objects.requireNonNull(rules, "rules");
    throw new UnsupportedOperationException(
        "This engine has no transactions that a thread begins and ends by calls; use atomically.");
  }

  /**
   * Registers sweeps of a layer. The engine runs them in the background, with rests between the
   * steps, and in each {@link Engine#reclaim}. For layers whose records carry expiries that the
   * engine does not know.
   *
   * @param sweeps returns the sweeps that are due. A sweep takes some milliseconds. While it
   *     returns true, the engine calls it again, in turn with the others, and does not add an equal
   *     one. Sweeps run on any thread, outside transactions, and may use the engine. A sweep that
   *     throws ends alone; {@link Engine#reclaim} throws the last such exception, the background
   *     logs it
   */
  default void whenReclaiming(Supplier<List<BooleanSupplier>> sweeps) {
    Objects.requireNonNull(sweeps, "sweeps");
  }

  /**
   * Returns what is still to be reclaimed. Reads a few records for each pending item.
   *
   * @return the state; all zeros if servers do this
   */
  default ReclaimState reclaimState() {
    return new ReclaimState(0, 0, 0, 0, Reclaimed.NOTHING);
  }

  /**
   * Rewrites all files of the store, so that they hold neither deleted data nor garbage. Needs free
   * disk space for the largest part of the store again while it runs; readers and writers continue.
   * Closing the store ends it early. Does nothing if the engine has no files.
   */
  default void compact() {}

  /**
   * Sets the evictor, which keeps spaces within their disk budgets: in the background, and in each
   * {@link Engine#reclaim}. It replaces the previous one. The engine measures, chooses the rows to
   * show, and returns the disk space of removed rows to the file system. An engine that uses no
   * local disk never calls it.
   *
   * @param evictor what removes records
   */
  default void evictBy(Evictor evictor) {
    Objects.requireNonNull(evictor, "evictor");
  }

  /**
   * Sets what lends heap for recently read records, if the engine keeps any and has no bound of its
   * own for them. An engine that has neither never calls it.
   *
   * @param lender lends the heap
   */
  default void keepRecordsIn(HeapLender lender) {
    Objects.requireNonNull(lender, "lender");
  }

  /**
   * Measures a space without reading its records. Cleared data is not included, even if its disk
   * space is not yet reclaimed.
   *
   * @return about how many bytes it uses in files and in memory; empty if the name does not exist
   *     or the engine cannot measure it
   */
  default OptionalLong diskBytes(String name) {
    Objects.requireNonNull(name, "name");
    return OptionalLong.empty();
  }

  /**
   * Returns the number of entries of a space of {@link Layout#ENTRIES}, as last counted. The first
   * call starts the counting: in the background, within a second or two, then at most once a minute
   * after writes, and in each {@link Engine#reclaim}. It takes at most a hundredth of a processor.
   * Expired entries do not count.
   *
   * @param name the name of the space
   * @return the number; empty before the first count, if there is no such space, or if the engine
   *     does not count
   */
  default OptionalLong countedEntries(String name) {
    Objects.requireNonNull(name, "name");
    return OptionalLong.empty();
  }

  /**
   * Returns how much disk the store uses and may use.
   *
   * @return the state; all zeros if the engine uses no local disk
   */
  default DiskState diskState() {
    return DiskState.NONE;
  }

  /**
   * Meets what a write would meet now, and changes nothing. An engine makes a real write, because
   * only that finds a disk full or a server read-only.
   *
   * @throws io.rockpool.error.RockpoolException that of an insert, whatever its space
   */
  default void probeWrite() {}

  /**
   * Counts cursors and snapshots that became unreachable without being closed. The engine closed
   * them; each is a bug in the code that opened it. {@link LeakDetection} records where that was.
   *
   * @return how many since the engine was opened
   */
  default long leaks() {
    return 0;
  }

  /**
   * Returns the state of the connection to servers.
   *
   * @return the state; empty if the engine uses no servers, or does not measure them
   */
  default Optional<ServerState> serverState() {
    return Optional.empty();
  }

  /**
   * Returns whether caches shall answer while the servers are away: reads are misses, loaded values
   * are returned without being stored, and puts are dropped.
   *
   * @return false by default: all of these throw
   */
  default boolean missesWhenAway() {
    return false;
  }

  /**
   * Returns what the keys of one server have in common. If {@link #missesWhenAway}, caches make a
   * part of a bulk call for each server, so that a server which is away makes only its own keys
   * misses.
   *
   * @param space the name of the space
   * @param hashKey the key of an entry
   * @return an object that is equal for all keys of a server
   */
  default Object serverOf(String space, byte[] hashKey) {
    Objects.requireNonNull(space, "space");
    return "";
  }

  /** Counts a read that was a miss because the servers are away. */
  default void missed() {}

  /**
   * Records puts that were dropped because the servers are away. Their entries are removed before
   * this engine reads or changes them again, so what the puts would have replaced is never seen.
   *
   * @param space the name of the space
   * @param hashKeys the keys of the entries
   */
  default void dropped(String space, Collection<byte[]> hashKeys) {
    Objects.requireNonNull(space, "space");
    Objects.requireNonNull(hashKeys, "hashKeys");
  }

  /**
   * Returns the runner of this store's background work. It counts failures; layers above run their
   * work with it too.
   *
   * @return the engine's only runner; the default implementation returns a new one each time
   */
  default Upkeep upkeep() {
    return new Upkeep();
  }
}

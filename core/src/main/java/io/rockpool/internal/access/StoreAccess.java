package io.rockpool.internal.access;

import io.rockpool.codec.Codecs;
import io.rockpool.engine.Engine;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.BoundTransaction;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.queue.PersistentQueue;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/** An open store, as the modules above it use it. */
public interface StoreAccess {
  /** The engine below. */
  Engine engine();

  /** The store's caches. */
  StoreCaches caches();

  /** The open queues by name, also those of timers and of dead letters. */
  SortedMap<String, PersistentQueue<?>> queues();

  /** When each open timer fires next; without those that do not. One read each. */
  Map<String, Instant> nextFirings();

  /** The classes that the store's codecs learn. */
  StoreClasses classes();

  /**
   * Codecs that learn classes in this store, like the store's own codecs; see {@link
   * Codecs#learningIn}.
   *
   * @param codecs the codecs to start from
   */
  default Codecs learning(Codecs codecs) {
    return codecs.learningIn(classes());
  }

  /**
   * Begins a transaction of the calling thread; see {@link EngineUpkeep#beginTransaction}.
   *
   * @param rules decides about its time and its exceptions
   */
  BoundTransaction beginTransaction(BoundRules rules);

  /**
   * Throws what a write would throw now, and changes nothing; see {@link EngineUpkeep#probeWrite}.
   */
  default void probeWrite() {
    EngineUpkeep.of(engine()).probeWrite();
  }

  /** Whether the calling thread is in a transaction of this store. */
  boolean inTransaction();

  /**
   * Runs {@code work} on a thread that is in no transaction, and returns its result: on this thread
   * if it is in none, else on another one. For opening names, which a transaction cannot do: names
   * come after rows in the order of locks. {@code work} must not use rows.
   */
  <R> R outsideTransaction(Supplier<R> work);
}

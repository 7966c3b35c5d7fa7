package io.rockpool.cache;

import io.rockpool.engine.Engine;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.engine.EngineUpkeep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a cache does while the servers of its engine are away. By default every operation throws. If
 * the engine is set to misses, reads are misses, loaded values are returned without being stored,
 * and blind puts are dropped. Operations that decide, and removals, throw in any case: their result
 * would not be true.
 */
final class Outages {
  private final EngineUpkeep upkeep;
  private final String space;

  /** Whether reads are misses while no server answers. */
  final boolean misses;

  Outages(Engine engine, String space) {
    this.upkeep = EngineUpkeep.of(engine);
    this.space = space;
    this.misses = upkeep.missesWhenAway();
  }

  /** The result of a read; null if it is to be a miss. */
  <T> @Nullable T readOrMiss(Supplier<? extends @Nullable T> read) {
    if (!misses) {
      return read.get();
    }
    try {
      return read.get();
    } catch (ServerUnavailableException e) {
      upkeep.missed();
      return null;
    }
  }

  /**
   * The results of a bulk read; null for each key whose server is away, if these are to be misses.
   */
  <K, T> List<? extends @Nullable T> readAllOrMiss(
      List<K> keys,
      Function<K, byte[]> bytes,
      Function<List<K>, ? extends List<? extends @Nullable T>> read) {
    if (!misses) {
      return read.apply(keys);
    }
    List<@Nullable T> found = new ArrayList<>(Collections.nCopies(keys.size(), null));
    for (List<Integer> part : parts(keys, bytes)) {
      List<? extends @Nullable T> some =
          this.<List<? extends @Nullable T>>readOrMiss(
              () -> read.apply(part.stream().map(keys::get).toList()));
      for (int i = 0; some != null && i < part.size(); i++) {
        found.set(part.get(i), some.get(i));
      }
    }
    return found;
  }

  /**
   * The positions of keys, in parts that fail apart if reads are to be misses: those of each
   * server.
   */
  <K> Collection<List<Integer>> parts(List<K> keys, Function<K, byte[]> bytes) {
    Map<Object, List<Integer>> parts = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Object server = misses ? upkeep.serverOf(space, bytes.apply(keys.get(i))) : "";
      parts.computeIfAbsent(server, any -> new ArrayList<>()).add(i);
    }
    return parts.values();
  }

  /**
   * Runs what stores the loaded values of these keys, and drops it if it may be dropped. If the
   * store is full, the values are returned without being stored.
   */
  void storeOrDrop(List<EntryKey> keys, Runnable storing) {
    try {
      storing.run();
    } catch (StoreFullException e) {
      // Nothing older is there: each key had no entry when its load began.
    } catch (ServerUnavailableException | OutcomeUnknownException e) {
      drop(keys, e);
    }
  }

  /** Drops the puts of these keys, which have failed; throws if puts may not be dropped. */
  void drop(List<EntryKey> keys, RockpoolException failure) {
    if (!misses) {
      throw failure;
    }
    drop(keys);
  }

  /** Notes that newer values of these keys were returned, and not stored. */
  void drop(List<EntryKey> keys) {
    upkeep.dropped(space, keys.stream().map(EntryKey::bytes).toList());
  }
}

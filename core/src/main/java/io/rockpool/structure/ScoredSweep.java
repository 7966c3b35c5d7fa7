package io.rockpool.structure;

import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import io.rockpool.internal.engine.EngineUpkeep;
import io.rockpool.store.Durability;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Removes expired elements of a scored set, open or not. Scored sets manage their own expiry; see
 * {@link EngineUpkeep#whenReclaiming}.
 */
record ScoredSweep(Engine engine, Catalog catalog, String name) implements BooleanSupplier {
  /** A sweep for each existing scored set. */
  static List<BooleanSupplier> all(Engine engine, Catalog catalog) {
    return catalog.list("").stream()
        .filter(ScoredSweep::isScoredSet)
        .<BooleanSupplier>map(entry -> new ScoredSweep(engine, catalog, entry.space().name()))
        .toList();
  }

  private static boolean isScoredSet(Entry entry) {
    return entry.identity().type().equals(Structures.SCORED_SET);
  }

  /** Runs at most one transaction; returns whether there is more to remove. */
  @Override
  public boolean getAsBoolean() {
    Space space = EngineUpkeep.of(engine).openForUpkeep(name);
    // Read the catalog after opening: if the space has been replaced since, its handle throws.
    Entry entry = space == null ? null : catalog.find(name);
    if (space == null || entry == null || !isScoredSet(entry)) {
      return false;
    }
    StructureSpace swept =
        new StructureSpace(
            Structures.SCORED_SET,
            space.withDurability(Durability.BUFFERED),
            entry.options(),
            engine,
            StructureOptions.defaults(),
            () -> false);
    byte[] row = Buckets.of(entry.options()).rows().get(0);
    try {
      return new ScoredTransactions(swept, row, ScoredShape.isRanked(entry.options())).sweepSome();
    } catch (StoreFullException e) {
      // The disk is completely full, so that even removals are rejected. Or the transaction had
      // nothing to remove, and only had to correct the earliest expiry.
      return false;
    } catch (IllegalStateException e) {
      return false; // the set was dropped or reset, or the store is closed
    }
  }
}

package io.rockpool.structure;

import io.rockpool.engine.Durability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.error.StoreFullException;
import io.rockpool.internal.catalog.Catalog;
import io.rockpool.internal.catalog.Entry;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Removes what has expired of a scored set, open or not: they keep expiries by themselves, see
 * {@link Engine#whenReclaiming}.
 */
record ScoredSweep(Engine engine, Catalog catalog, String name) implements BooleanSupplier {
  /** A sweep of each set that there is now. */
  static List<BooleanSupplier> all(Engine engine, Catalog catalog) {
    return catalog.list("").stream()
        .filter(ScoredSweep::isScoredSet)
        .<BooleanSupplier>map(entry -> new ScoredSweep(engine, catalog, entry.space().name()))
        .toList();
  }

  private static boolean isScoredSet(Entry entry) {
    return entry.identity().type().equals(Structures.SCORED_SET);
  }

  /** One transaction at most; says whether another one has something to remove. */
  @Override
  public boolean getAsBoolean() {
    Space space = engine.openForUpkeep(name);
    // After it was opened: if it is of another time than this, it can be used no more.
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
            StructureOptions.defaults());
    byte[] row = Buckets.of(entry.options()).rows().get(0);
    try {
      return new ScoredTransactions(swept, row, ScoredShape.isRanked(entry.options())).sweepSome();
    } catch (StoreFullException e) {
      // The disk is full to the last byte, so even removals are refused; or there was nothing to
      // remove, but a time to put right.
      return false;
    } catch (IllegalStateException e) {
      return false; // it was dropped or reset meanwhile, or the store is closed
    }
  }
}

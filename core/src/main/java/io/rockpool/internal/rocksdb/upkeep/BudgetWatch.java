package io.rockpool.internal.rocksdb.upkeep;

import io.rockpool.engine.Layout;
import io.rockpool.internal.format.Generation;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.DiskToll;
import io.rockpool.internal.rocksdb.natives.Measures;
import io.rockpool.internal.rocksdb.rows.SpaceCatalog;
import io.rockpool.internal.rocksdb.rows.SpaceState;
import io.rockpool.internal.rocksdb.rows.StoreParts;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures data against the disk budgets, and says how much may be written until the next look. */
final class BudgetWatch implements DiskToll.Collector {
  static final List<ColumnFamily> DATA =
      List.of(ColumnFamily.ROWS, ColumnFamily.ENTRIES, ColumnFamily.EXPIRIES, ColumnFamily.COUNTS);

  private static final byte[] FIRST = Generation.prefix(0);
  private static final byte[] END = Generation.prefix(Long.MAX_VALUE);

  /** Writers wait if a budget is exceeded by one part in so many, and longest by twice that. */
  private static final int FREE_SHARE = 8;

  /** Without room, and where nothing makes any, a look follows so small a part of the budget. */
  private static final int LOOK_SHARE = 16;

  /** How much is written until the next look if there is no budget: there may soon be one. */
  private static final long UNBOUNDED_BYTES = 4 << 20;

  private final StoreParts store;
  private final SpaceCatalog catalog;
  private final DiskRoom room;
  private final Runnable look;
  private final DiskToll toll;
  private volatile Seen seen = new Seen(Map.of(), Set.of(), true);

  /**
   * The result of a look.
   *
   * @param budgets the budgets of spaces
   * @param evicting the spaces that evictions make smaller
   * @param isOld whether more was written since than the look has allowed
   */
  private record Seen(Map<String, Long> budgets, Set<String> evicting, boolean isOld) {}

  BudgetWatch(StoreParts store, SpaceCatalog catalog, DiskRoom room, Runnable look) {
    this.store = store;
    this.catalog = catalog;
    this.room = room;
    this.look = look;
    this.toll = store.writePath().toll();
  }

  /** Notes what a look has found and planned. */
  void looked(Map<String, Long> budgets, Set<String> evicting) {
    seen = new Seen(budgets, evicting, false);
    long allowed = UNBOUNDED_BYTES;
    long smallest = Long.MAX_VALUE;
    for (Map.Entry<String, Long> budget : budgets.entrySet()) {
      long bytes = bytes(budget.getKey());
      smallest = Math.min(smallest, budget.getValue());
      allowed =
          Math.min(allowed, allowed(budget.getValue(), bytes, evicting.contains(budget.getKey())));
    }
    if (room.budgetBytes() > 0) {
      smallest = Math.min(smallest, room.budgetBytes());
      allowed = Math.min(allowed, allowed(room.budgetBytes(), dataBytes(), !evicting.isEmpty()));
    }
    toll.allow(allowed, smallest);
  }

  /** How much may be written until the next look. */
  private static long allowed(long budget, long bytes, boolean isEvicting) {
    long next = budget / LOOK_SHARE;
    if (bytes < budget) {
      return Math.max(next, budget - bytes);
    }
    long left = budget + budget / FREE_SHARE - bytes;
    return left > 0 ? left : isEvicting ? 0 : next;
  }

  @Override
  public void lookSoon() {
    Seen last = seen;
    seen = new Seen(last.budgets, last.evicting, true);
    look.run();
  }

  @Override
  public double excess(String space) {
    if (!store.guard().tryEnter()) {
      return 0;
    }
    try {
      Seen now = seen;
      Long budget = now.budgets.get(space);
      double own =
          budget != null && (now.isOld || now.evicting.contains(space))
              ? excess(budget, bytes(space))
              : 0;
      boolean isBounded = room.budgetBytes() > 0 && (now.isOld || !now.evicting.isEmpty());
      return isBounded ? Math.max(own, excess(room.budgetBytes(), dataBytes())) : own;
    } finally {
      store.guard().leave();
    }
  }

  private static double excess(long budget, long bytes) {
    double free = (double) budget / FREE_SHARE;
    return (bytes - budget - free) / free;
  }

  private long bytes(String name) {
    SpaceState state = catalog.named(name);
    long generation =
        state == null || state.layout() != Layout.ENTRIES
            ? SpaceState.NO_RECORDS
            : state.generationIfAny();
    return generation == SpaceState.NO_RECORDS
        ? 0
        : measures()
            .approximateBytes(
                ColumnFamily.ENTRIES,
                Generation.prefix(generation),
                Generation.prefix(generation + 1));
  }

  long bytesOfEntries() {
    return measures().approximateBytes(ColumnFamily.ENTRIES, FIRST, END);
  }

  long dataBytes() {
    return DATA.stream()
        .mapToLong(family -> measures().approximateAllBytes(family, FIRST, END))
        .sum();
  }

  private Measures measures() {
    return store.database().measures();
  }
}

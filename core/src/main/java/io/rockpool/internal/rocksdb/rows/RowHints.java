package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.natives.RecordLayout;
import io.rockpool.internal.rocksdb.rows.RowChanges.Change;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What memory knows of one row, as a transaction that holds its lock uses it and keeps it true:
 * {@link BuiltRows} and {@link EmptyStretches}. Of the rows of entries nothing is known.
 */
final class RowHints {
  /** Fewer changes than these do not build a row. */
  static final int MIN_TO_BUILD = 64;

  private final StoreParts store;
  private final boolean hasRows;
  private final long generation;
  private final byte[] hashKey;
  private boolean wasEmpty;

  /** Where the first scan found nothing that is stored, and what it found behind that. */
  private @Nullable SortRange gap;

  private byte @Nullable [] firstBehind;
  private boolean isWorthIt;

  RowHints(StoreParts store, RecordLayout layout, long generation, byte[] hashKey) {
    this.store = store;
    this.hasRows = layout.hasRows();
    this.generation = generation;
    this.hashKey = hashKey;
  }

  /** The filter of what is in the row, if it is being built. */
  @Nullable RowFilter built() {
    return hasRows ? store.builtRows().of(generation, hashKey) : null;
  }

  private EmptyStretches.@Nullable Stretches stretches() {
    return hasRows ? store.emptyStretches().of(generation, hashKey) : null;
  }

  /** The part of a range in which anything can be stored, as far as is known. */
  SortRange toScan(SortRange range, boolean forward) {
    return hasRows ? store.emptyStretches().toScan(generation, hashKey, range, forward) : range;
  }

  /** Notes that nothing at all is stored in the row. */
  void isEmpty() {
    wasEmpty = true;
  }

  /**
   * Notes what the first scan found first, if the transaction has not changed anything before; and
   * whether that is worth to be learned whatever becomes of it, since it took long or extends what
   * is known.
   */
  void found(
      SortRange range,
      boolean forward,
      byte @Nullable [] first,
      boolean worth,
      RowChanges changes) {
    if (!hasRows || gap != null) {
      return;
    }
    SortRange before = EmptyStretches.passed(range, forward, first);
    if (!changes.within(before, true).hasNext()) {
      gap = before;
      firstBehind = first;
      isWorthIt = worth;
    }
  }

  /** Before changes are written. */
  void writing(RowChanges changes) {
    if (!hasRows) {
      return;
    }
    EmptyStretches.Stretches known = stretches();
    if (known != null) {
      forEachKey(changes, true, known::put);
    }
    if (changes.size() < MIN_TO_BUILD) {
      store.builtRows().forget(generation, hashKey);
    } else if (wasEmpty) {
      store.builtRows().begin(generation, hashKey, changes.size(), changes.changedKeys());
    } else {
      store.builtRows().add(generation, hashKey, changes.changedKeys());
    }
  }

  /** Once changes are written, or there were none. */
  void written(RowChanges changes) {
    SortRange empty = gap;
    if (empty != null
        && (isWorthIt || nextScanGoesOn(changes))
        && !changes.within(empty, true).hasNext()) {
      store.emptyStretches().add(generation, hashKey, empty);
    }
    EmptyStretches.Stretches known = stretches();
    if (known != null) {
      forEachKey(changes, false, known::removed);
    }
  }

  /** Whether what was found behind the gap is removed; a gap before what stays costs nobody. */
  private boolean nextScanGoesOn(RowChanges changes) {
    if (firstBehind == null) {
      return true;
    }
    Change change = changes.at(firstBehind).change();
    return change != null && change.value() == null;
  }

  private static void forEachKey(RowChanges changes, boolean puts, Consumer<byte[]> action) {
    changes.forEach(
        cell -> {
          if (Objects.requireNonNull(cell.change()).value() != null == puts) {
            action.accept(cell.sortKey());
          }
        });
  }
}

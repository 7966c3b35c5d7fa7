package io.rockpool.internal.rocksdb.rows;

import io.rockpool.engine.SortRange;
import io.rockpool.internal.rocksdb.natives.EmptyStretches;
import io.rockpool.internal.rocksdb.rows.RowChanges.Change;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The hints about one row, {@link BuiltRows} and {@link EmptyStretches}, as a transaction uses and
 * updates them under the row's lock. Rows of entries have none.
 */
final class RowHints {
  /** Fewer changes than this do not build a row. */
  static final int MIN_TO_BUILD = 64;

  private final StoreParts store;
  private final long generation;
  private final byte[] hashKey;
  private boolean wasEmpty;

  /**
   * The empty range before the first stored record that the first scan found, and that record's
   * sort key.
   */
  private @Nullable SortRange gap;

  private byte @Nullable [] firstBehind;
  private boolean isWorthIt;

  RowHints(StoreParts store, long generation, byte[] hashKey) {
    this.store = store;
    this.generation = generation;
    this.hashKey = hashKey;
  }

  /** The filter of the row's sort keys, if it is being built. */
  @Nullable RowFilter built() {
    return store.builtRows().of(generation, hashKey);
  }

  private EmptyStretches.@Nullable Stretches stretches() {
    return store.emptyStretches().of(generation, hashKey);
  }

  /** The part of a range that may contain records, as far as known. */
  SortRange toScan(SortRange range, boolean forward) {
    return store.emptyStretches().toScan(generation, hashKey, range, forward);
  }

  /** Records that the row is completely empty. */
  void isEmpty() {
    wasEmpty = true;
  }

  /**
   * Records the first record of the first scan, if the transaction has changed nothing before it.
   * {@code worth} means that the empty range is learned in any case, because the scan was long or
   * extends a known stretch.
   */
  void found(
      SortRange range,
      boolean forward,
      byte @Nullable [] first,
      boolean worth,
      RowChanges changes) {
    if (gap != null) {
      return;
    }
    SortRange before = EmptyStretches.passed(range, forward, first);
    if (!changes.within(before, true).hasNext()) {
      gap = before;
      firstBehind = first;
      isWorthIt = worth;
    }
  }

  /** Updates the hints before changes are written. */
  void writing(RowChanges changes) {
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

  /** Updates the hints after changes were written, or there were none. */
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

  /**
   * Whether the record after the gap is removed. A gap before a record that stays costs a scan
   * nothing more.
   */
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

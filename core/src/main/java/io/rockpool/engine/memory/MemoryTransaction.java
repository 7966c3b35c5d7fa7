package io.rockpool.engine.memory;

import io.rockpool.engine.ChangeListener;
import io.rockpool.internal.engine.BoundRules;
import io.rockpool.internal.engine.JoinedSpace;
import io.rockpool.internal.engine.RunningCalls;
import io.rockpool.internal.engine.TransactionNotes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code atomically}: a snapshot of all rows, with the run's changes on top. It commits
 * if everything it read is unchanged. Confined to one thread.
 */
final class MemoryTransaction implements RunningCalls.Run {
  private final MemoryCatalog catalog;
  private final Map<SpaceData, SortedTree<RowState>> snapshot;
  private final long nowMillis;
  private final TransactionNotes notes;
  private final Map<SpaceData, Map<byte[], RowView>> views = new HashMap<>();
  private final Thread thread = Thread.currentThread();
  private @Nullable BoundRules rules;
  private volatile boolean ended;

  MemoryTransaction(MemoryCatalog catalog, long nowMillis, TransactionNotes notes) {
    this.notes = notes;
    this.catalog = catalog;
    this.snapshot = catalog.snapshot();
    this.nowMillis = nowMillis;
  }

  /** From now on, each access of a row is checked by {@code boundRules}. */
  void obey(BoundRules boundRules) {
    rules = boundRules;
  }

  TransactionNotes notes() {
    return notes;
  }

  /** The operations on a space inside this transaction. */
  JoinedSpace space(SpaceData data) {
    return new JoinedSpace(hashKey -> row(data, hashKey), notes, this::checkRunning);
  }

  private RowView row(SpaceData data, byte[] hashKey) {
    if (rules != null) {
      rules.checkTime();
    }
    Map<byte[], RowView> rows =
        views.computeIfAbsent(data, any -> new TreeMap<>(Arrays::compareUnsigned));
    RowView row = rows.get(hashKey);
    if (row == null) {
      byte[] key = hashKey.clone();
      RowState state = SpaceData.rowOf(snapshot.computeIfAbsent(data, SpaceData::rows), key);
      row = new RowView(key, data, state, nowMillis, notes);
      rows.put(key, row);
    }
    return row;
  }

  /**
   * Applies all changes if everything that was read is unchanged; returns whether it did.
   *
   * @param reports receives each changed row
   */
  boolean commit(Consumer<Consumer<ChangeListener>> reports) {
    synchronized (catalog.lock()) {
      for (var rows : views.entrySet()) {
        SpaceData data = rows.getKey();
        data.checkThere();
        for (var row : rows.getValue().entrySet()) {
          if (!row.getValue().holdsFor(data.row(row.getKey()))) {
            return false;
          }
        }
      }
      views.forEach(
          (data, rows) ->
              rows.forEach(
                  (hashKey, view) -> {
                    if (view.hasChanges()) {
                      data.update(hashKey, view::applyTo);
                    }
                  }));
    }
    views.forEach(
        (data, rows) ->
            rows.forEach(
                (hashKey, view) -> {
                  if (view.hasChanges()) {
                    reports.accept(listener -> listener.rowChanged(data.name(), hashKey));
                  }
                }));
    return true;
  }

  @Override
  public void end() {
    ended = true;
    views.values().forEach(rows -> rows.values().forEach(RowView::end));
  }

  private void checkRunning() {
    if (ended || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A cursor was used after the transaction it was opened in, or by another thread; use it inside only.");
    }
  }
}

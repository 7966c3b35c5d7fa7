package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Limits;
import io.rockpool.engine.RecordWrite;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes the records of a structure's elements: one counted record per element, in the row of its
 * key.
 */
final class Records {
  private final StructureSpace space;
  private final Buckets buckets;

  Records(StructureSpace space) {
    this(space, Buckets.of(space.shape()));
  }

  Records(StructureSpace space, Buckets buckets) {
    this.space = space;
    this.buckets = buckets;
  }

  /**
   * The effect on a record.
   *
   * @param before the old record, or null
   */
  record Outcome(@Nullable RowRecord before, RecordChange change) {
    /** Whether the record changed. */
    boolean isChange() {
      return switch (change.kind()) {
        case KEEP -> false;
        case REMOVE -> before != null;
        case WRITE -> true;
      };
    }
  }

  StructureSpace space() {
    return space;
  }

  Buckets buckets() {
    return buckets;
  }

  /**
   * Makes a change, whatever the record is. One read, one write; the engine may do both at once.
   */
  Outcome change(byte[] key, RecordChange change) {
    return new Outcome(space.transact(buckets.rowOf(key), change.of(key)), change);
  }

  /** Like {@link #change}, but only if there is no record. */
  Outcome changeAbsent(byte[] key, RecordChange change) {
    RowRecord before = space.transact(buckets.rowOf(key), change.of(key).ifAbsent());
    return new Outcome(before, before == null ? change : RecordChange.keep());
  }

  /**
   * Changes a record by a decision of the library. It runs inside the transaction and must depend
   * on the record only. One read, one write.
   */
  Outcome transact(byte[] key, Function<@Nullable RowRecord, RecordChange> decision) {
    return space.transact(
        buckets.rowOf(key),
        row -> {
          RowRecord found = row.get(key);
          RecordChange change = decision.apply(found);
          change.make(row, key, found);
          return new Outcome(found, change);
        });
  }

  /**
   * Changes a record by a decision that calls user code. It runs without a lock or row transaction,
   * so it may use any structure. It runs again if the record changed during the call. One read, and
   * one write that compares; the engine may do both parts of that at once.
   *
   * @throws IllegalStateException if the decision changes the record; nothing is changed
   */
  Outcome update(byte[] key, Function<@Nullable RowRecord, RecordChange> decision) {
    byte[] row = buckets.rowOf(key);
    RowRecord found = space.use().get(row, key);
    while (true) {
      RowRecord read = found;
      RecordChange change = space.deciding(row, key, () -> decision.apply(read));
      if (change.kind() == RecordChange.Kind.KEEP) {
        return new Outcome(read, change);
      }
      RecordWrite write = change.of(key).ifSame(read);
      found = space.transact(row, write);
      if (write.isMadeOver(found)) {
        return new Outcome(read, change);
      }
    }
  }

  /**
   * Changes a record by a decision.
   *
   * @param byLibrary whether it runs no user code: then it may hold the row's lock, and takes one
   *     read less. A server would need a round trip more for that.
   */
  Outcome decide(
      byte[] key, boolean byLibrary, Function<@Nullable RowRecord, RecordChange> decision) {
    return byLibrary && !space.isShared() ? transact(key, decision) : update(key, decision);
  }

  /** A change whose decision waits for the existing record. */
  interface Pending {
    byte[] encodedKey();

    /** Like the decision of {@link #transact}. */
    RecordChange decide(@Nullable RowRecord found);
  }

  /**
   * Applies many changes to one row, all or none. One read of all keys, one write.
   *
   * @param row the row of all keys
   * @param changes the changes, sorted by key; a second change of a key sees the result of the
   *     first
   * @return the outcomes, one per change
   */
  List<Outcome> transactAll(byte[] row, List<? extends Pending> changes) {
    return space.transact(
        row,
        transaction -> {
          List<@Nullable RowRecord> found =
              transaction.getAll(changes.stream().map(Pending::encodedKey).toList());
          List<Outcome> outcomes = new ArrayList<>(changes.size());
          byte @Nullable [] last = null;
          for (int i = 0; i < changes.size(); i++) {
            byte[] key = changes.get(i).encodedKey();
            RowRecord before = Arrays.equals(key, last) ? transaction.get(key) : found.get(i);
            RecordChange change = changes.get(i).decide(before);
            change.make(transaction, key, before);
            outcomes.add(new Outcome(before, change));
            last = key;
          }
          return outcomes;
        });
  }

  /** Like {@link #transactAll}, but without a read: each decision sees null. */
  void transactAllBlind(byte[] row, List<? extends Pending> changes) {
    space.transact(
        row,
        transaction -> {
          changes.forEach(
              change -> change.decide(null).make(transaction, change.encodedKey(), null));
          return true;
        });
  }

  /**
   * Removes the first records of a range, all or none. One write.
   *
   * @param check throws to keep all records
   * @return the removed records, at most {@code limit}
   */
  List<RowRecord> removeFirst(
      byte[] row, SortRange range, Direction direction, int limit, Consumer<RowRecord> check) {
    return space.transact(
        row,
        transaction -> {
          List<RowRecord> found = transaction.scan(range, direction, limit);
          found.forEach(check);
          found.forEach(record -> transaction.delete(record.sortKey()));
          return found;
        });
  }

  /**
   * Removes the records of a page of a range that pass a filter, all or none. One write.
   *
   * @param page how many records it reads at most
   * @param selector selects some of the records that were read; it must depend on them only
   * @return the records that were read; fewer than {@code page} if they are large
   */
  Row.Page removeSelected(
      byte[] row,
      SortRange range,
      Direction direction,
      int page,
      UnaryOperator<List<RowRecord>> selector) {
    return space.transact(
        row,
        transaction -> {
          Row.Page found = transaction.page(range, direction, page, Limits.MAX_BATCH_BYTES);
          selector.apply(found.records()).forEach(record -> transaction.delete(record.sortKey()));
          return found;
        });
  }
}

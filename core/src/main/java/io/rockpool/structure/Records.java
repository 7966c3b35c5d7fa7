package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.RowTransaction;
import io.rockpool.engine.SortRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes the records that are a structure's elements: counted, one for each, in the row that their
 * key belongs to.
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
   * What became of a record.
   *
   * @param before the record that was there, or null
   * @param change what was done
   */
  record Outcome(@Nullable RowRecord before, RecordChange change) {
    /** Whether anything is different now. */
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
   * Changes a record by a decision that is the library's own: it runs inside the transaction, and
   * must be a function of the record alone. One read, one write.
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
   * Changes a record by a decision that calls code of a user's: it runs outside of any lock or
   * transaction, so that it may use any structure, and is made again if the record has changed
   * meanwhile. Two reads, one write.
   *
   * @throws IllegalStateException if the decision changes the record; nothing is changed
   */
  Outcome update(byte[] key, Function<@Nullable RowRecord, RecordChange> decision) {
    byte[] row = buckets.rowOf(key);
    while (true) {
      RowRecord found = space.use().get(row, key);
      RecordChange change = space.deciding(row, key, () -> decision.apply(found));
      if (change.kind() == RecordChange.Kind.KEEP
          || space.transact(row, replacement(key, found, change))) {
        return new Outcome(found, change);
      }
    }
  }

  /** A change of a record that is decided when it is known what is there. */
  interface Pending {
    byte[] encodedKey();

    /** As for {@link #transact}. */
    RecordChange decide(@Nullable RowRecord found);
  }

  /**
   * Makes many changes in one row, all or none; a read of all keys, one write.
   *
   * @param row all keys' row
   * @param changes what to change, in the order of the keys; of those of one key, the next decides
   *     upon what the one before leaves
   * @return the outcomes, one for each change
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

  /**
   * As {@link #transactAll}, but reads nothing: the changes are decided as if nothing was there.
   */
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
   * Removes the first records of a range, all or none; one write.
   *
   * @param check throws for a record that shall stay; then all do
   * @return what was removed, {@code limit} records at most
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

  /** Makes a change if the record is still the one that was found; says whether it was. */
  private static RowTransaction<Boolean> replacement(
      byte[] key, @Nullable RowRecord found, RecordChange change) {
    return row -> {
      boolean same = isSame(row.get(key), found);
      if (same) {
        change.make(row, key, found);
      }
      return same;
    };
  }

  /** Whether a record is still as it was found. */
  static boolean isSame(@Nullable RowRecord a, @Nullable RowRecord b) {
    if (a == null || b == null) {
      return a == b;
    }
    return a.expiryMillis() == b.expiryMillis() && Arrays.equals(a.value(), b.value());
  }
}

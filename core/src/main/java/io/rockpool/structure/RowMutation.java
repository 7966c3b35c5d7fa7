package io.rockpool.structure;

import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of several records of a row, applied together. */
final class RowMutation<S, V> {
  private final boolean telling;
  private final List<Part<S, V>> parts = new ArrayList<>();

  /**
   * One change, encoded before the transaction: its bytes must not depend on when the transaction
   * runs.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part<S, V>(S sortKey, byte[] key, @Nullable V value, RecordChange change) {}

  /**
   * Encodes the changes.
   *
   * @param telling whether there are listeners, which need the old values
   */
  RowMutation(SortedCodec<S, V> codec, Mutations<S, V> mutations, boolean telling) {
    this.telling = telling;
    StructureSpace space = codec.space();
    for (Mutations.Mutation<S, V> each : mutations.all()) {
      long expiryMillis =
          each.ttl() == null ? space.defaultExpiryMillis() : space.expiryMillis(each.ttl());
      RecordChange change =
          each.value() == null
              ? RecordChange.remove()
              : RecordChange.write(codec.value(each.value()), expiryMillis);
      parts.add(new Part<>(each.sortKey(), codec.key(each.sortKey()), each.value(), change));
    }
  }

  /** Applies the changes; returns the outcome of each. */
  List<Records.Outcome> make(Row row) {
    List<Records.Outcome> outcomes = new ArrayList<>(parts.size());
    for (Part<S, V> part : parts) {
      boolean isRemoval = part.change().kind() == RecordChange.Kind.REMOVE;
      RowRecord before = telling || isRemoval ? row.get(part.key()) : null;
      part.change().make(row, part.key(), before);
      outcomes.add(new Records.Outcome(before, part.change()));
    }
    return outcomes;
  }

  /** Notifies listeners of each outcome. */
  void tell(List<Records.Outcome> outcomes, EntryWrites<S, V> writes) {
    for (int i = 0; i < outcomes.size(); i++) {
      writes.told(parts.get(i).sortKey(), parts.get(i).value(), outcomes.get(i));
    }
  }
}

package io.rockpool.cache;

import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Updates many entries, each as {@link CacheEntries#update} does one: reads a chunk of them at
 * once, decides on each, and writes each on condition that it is still the same, all in one
 * transaction where the engine has such; those that others have changed meanwhile are read and
 * decided on again, together.
 */
final class BulkUpdate<K, V> {
  /**
   * Keys that are read before the first of them is written: enough to make the reading cheap, and
   * few enough that another thread seldom comes in between.
   */
  static final int CHUNK = 128;

  private final CacheEntries<K, V> entries;
  private final List<EntryKey> keys;
  private final Rule<V> rule;
  private final Condition condition;
  private final List<Change<V>> made;

  /** Says what to do with the entry of the key at a position, given what is there. */
  interface Rule<V> {
    Change<V> decide(int position, CacheEntries.@Nullable Found<V> found);
  }

  /** Says, at the moment of writing, whether the entry of the key at a position may change. */
  interface Condition {
    boolean holds(int position);
  }

  BulkUpdate(CacheEntries<K, V> entries, List<EntryKey> keys, Rule<V> rule, Condition condition) {
    this.entries = entries;
    this.keys = keys;
    this.rule = rule;
    this.condition = condition;
    this.made = new ArrayList<>(keys.size());
    keys.forEach(key -> made.add(Change.keep()));
  }

  /**
   * Updates all; returns the changes that were made, in the order of the keys. Where the rule
   * throws, earlier chunks have been changed and its own has not.
   */
  List<Change<V>> run() {
    for (int from = 0; from < keys.size(); from += CHUNK) {
      int[] left = IntStream.range(from, Math.min(from + CHUNK, keys.size())).toArray();
      while (left.length > 0) {
        List<Commits.Planned<V>> plans = new ArrayList<>(left.length);
        long[] tickets = Arrays.stream(left).mapToLong(i -> entries.ticket(keys.get(i))).toArray();
        List<Integer> planned = decide(left, tickets, read(left), plans);
        left = commit(planned, plans);
      }
    }
    return made;
  }

  private List<@Nullable RowRecord> read(int[] positions) {
    return entries
        .space()
        .getAll(
            Arrays.stream(positions)
                .mapToObj(i -> new RecordKey(keys.get(i).bytes(), Space.NO_SORT_KEY))
                .toList());
  }

  private List<Integer> decide(
      int[] positions,
      long[] tickets,
      List<@Nullable RowRecord> records,
      List<Commits.Planned<V>> plans) {
    List<Integer> planned = new ArrayList<>(positions.length);
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      EntryKey key = keys.get(position);
      RowRecord record = records.get(i);
      CacheEntries.Found<V> found =
          record == null ? null : entries.sameAsHot(key, tickets[i], entries.read(key, record));
      Change<V> change = rule.decide(position, found);
      if (change.changes(found) && condition.holds(position)) {
        if (change.kind() == Change.Kind.REMOVE) {
          entries.supersede(key);
        }
        planned.add(position);
        plans.add(new Commits.Planned<>(key, record, change, () -> condition.holds(position)));
      } else {
        entries.ended.tell(key, record);
      }
    }
    return planned;
  }

  /** Makes the changes; returns the positions of those that others came before. */
  private int[] commit(List<Integer> positions, List<Commits.Planned<V>> plans) {
    boolean[] done = entries.commits.commitAll(plans);
    int[] overtaken = new int[positions.size()];
    int number = 0;
    for (int i = 0; i < done.length; i++) {
      if (done[i]) {
        made.set(positions.get(i), plans.get(i).change());
        entries.ended.tellBefore(plans.get(i).key(), plans.get(i).expected());
      } else {
        overtaken[number++] = positions.get(i);
      }
    }
    return Arrays.copyOf(overtaken, number);
  }
}

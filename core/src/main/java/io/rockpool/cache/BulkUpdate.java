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
 * Updates many entries, each as {@link EntryUpdates#update} does: reads a chunk of them with one
 * call, decides on each, and writes each if its record has not changed since. The writes are one
 * transaction if the engine has transactions over many rows. Entries that other threads changed
 * meanwhile are read and decided on again, together.
 */
final class BulkUpdate<K, V> {
  /**
   * Keys in a chunk. Enough to make reads cheap, and few enough that other threads rarely change
   * one of the keys before the write.
   */
  static final int CHUNK = 128;

  private final CacheEntries<K, V> entries;
  private final List<EntryKey> keys;
  private final @Nullable Tagging<?, ?> tagging;
  private final Rule<V> rule;
  private final Condition condition;
  private final List<Change<V>> made;

  /** Decides what to do with the current entry of the key at an index. */
  interface Rule<V> {
    Change<V> decide(int position, @Nullable Found<V> found);
  }

  /** Returns, at the moment of the write, whether the entry of the key at an index may change. */
  interface Condition {
    boolean holds(int position);
  }

  /** An update without values of a caller that get tags. */
  BulkUpdate(CacheEntries<K, V> entries, List<EntryKey> keys, Rule<V> rule, Condition condition) {
    this(entries, keys, null, rule, condition);
  }

  /**
   * Creates an update.
   *
   * @param tagging gives tags to values of the caller, and is renewed before each further attempt;
   *     null for no tags
   */
  BulkUpdate(
      CacheEntries<K, V> entries,
      List<EntryKey> keys,
      @Nullable Tagging<?, ?> tagging,
      Rule<V> rule,
      Condition condition) {
    this.entries = entries;
    this.keys = keys;
    this.tagging = tagging;
    this.rule = rule;
    this.condition = condition;
    this.made = new ArrayList<>(keys.size());
    keys.forEach(key -> made.add(Change.keep()));
  }

  /**
   * Updates all entries; returns the changes that were made, in the order of the keys. If the rule
   * throws, earlier chunks have been changed and its own has not.
   */
  List<Change<V>> run() {
    for (int from = 0; from < keys.size(); from += CHUNK) {
      int[] left = IntStream.range(from, Math.min(from + CHUNK, keys.size())).toArray();
      for (boolean again = false; left.length > 0; again = true) {
        boolean unused = (again || from > 0) && tagging != null && tagging.renew();
        left = run(left, again);
      }
    }
    return made;
  }

  /** Updates some entries; returns the indexes of those that another thread changed first. */
  private int[] run(int[] positions, boolean again) {
    List<EntryKey> their = Arrays.stream(positions).mapToObj(keys::get).toList();
    List<Boolean> loading = their.stream().map(entries.shared.loads::isLoading).toList();
    long[] tickets = their.stream().mapToLong(entries.writes::ticket).toArray();
    List<@Nullable RowRecord> records = read(positions);
    return commit(
        entries.writes.decide(again, their, () -> decide(positions, loading, tickets, records)));
  }

  /**
   * A change of the entry of the key at an index.
   *
   * @param found the entry that the change was decided on
   * @param over see {@link EndedEntries#endedBefore}
   */
  private record Planned<V>(
      int position, PlannedWrite<V> plan, @Nullable Found<V> found, @Nullable RowRecord over) {}

  private List<@Nullable RowRecord> read(int[] positions) {
    return entries
        .space()
        .getAll(
            Arrays.stream(positions)
                .mapToObj(i -> new RecordKey(keys.get(i).bytes(), Space.NO_SORT_KEY))
                .toList());
  }

  private List<Planned<V>> decide(
      int[] positions, List<Boolean> loading, long[] tickets, List<@Nullable RowRecord> records) {
    List<Planned<V>> planned = new ArrayList<>(positions.length);
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      EntryKey key = keys.get(position);
      RowRecord record = records.get(i);
      Found<V> found =
          record == null
              ? null
              : entries.reader.sameAsHot(key, tickets[i], entries.reader.readExactly(key, record));
      entries.writes.passed(key);
      RowRecord over = entries.ended.endedBefore(key, record, found);
      Change<V> change = rule.decide(position, found);
      boolean confirmed =
          change.kind() == Change.Kind.REMOVE
              && (entries.shared.loads.supersede(key) || loading.get(i));
      if ((confirmed || change.changes(found) || entries.isWrittenBehind(key, change))
          && !entries.updates.isDropped(key, record, change)
          && condition.holds(position)) {
        planned.add(
            new Planned<>(
                position,
                new PlannedWrite<>(
                    key, record, found != null, change, () -> condition.holds(position)),
                found,
                over));
      } else {
        entries.ended.tell(key, record);
      }
    }
    return planned;
  }

  /** Makes the changes; returns the indexes of those that another thread prevented. */
  private int[] commit(List<Planned<V>> planned) {
    planned.forEach(each -> entries.writes.permit(each.plan.key()));
    List<@Nullable Change<V>> done =
        entries.commits.commitAll(planned.stream().map(Planned::plan).toList());
    int[] overtaken = new int[planned.size()];
    int number = 0;
    for (int i = 0; i < planned.size(); i++) {
      Planned<V> each = planned.get(i);
      Change<V> change = done.get(i);
      if (change == null) {
        RowRecord expected = each.plan.expected();
        if (entries.updates.isDropped(each.plan.key(), expected, each.plan.change())) {
          entries.ended.tell(each.plan.key(), expected);
        } else {
          overtaken[number++] = each.position;
        }
        continue;
      }
      if (change.changes(each.found)) {
        made.set(each.position, change);
      }
      entries.ended.tellBefore(each.plan.key(), each.over);
    }
    return Arrays.copyOf(overtaken, number);
  }
}

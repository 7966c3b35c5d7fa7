package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a scored set inside one run of a transaction. All records of a member change together:
 * the member, its place, its due record and the counts of the rank index.
 *
 * <p>{@link #sweep} runs first in each transaction and removes expired members, so that afterwards
 * every record belongs to a live member. The time is that of the transaction's run. Checking
 * whether a member is due costs one read; only a due member costs more.
 */
final class ScoredRow {
  /** Members that one transaction sweeps, fewer if they are large. It bounds its memory. */
  private static final int SWEEP_RECORDS = 256;

  private final Row row;
  private final long nowMillis;
  private final @Nullable RankWrites ranks;
  private long earliestMillis = Expiry.NEVER;
  private long storedEarliestMillis = Expiry.NEVER;

  ScoredRow(Row row, boolean ranked) {
    this.row = row;
    this.nowMillis = row.nowMillis();
    this.ranks = ranked ? new RankWrites(row) : null;
  }

  /** Adds members, given as records, to a set in a space. */
  static void add(Space space, boolean ranked, List<RowRecord> members) {
    byte[] key = Buckets.of(Buckets.ONE_ROW_SHAPE).rows().get(0);
    space.transact(
        key,
        transaction -> {
          ScoredRow scored = new ScoredRow(transaction, ranked);
          boolean unused = scored.sweep();
          for (RowRecord record : members) {
            byte[] element = ScoredSetFormat.memberElement(record.sortKey());
            Member member = Member.read(record.value(), 0, record.value().length);
            scored.write(element, scored.find(element), member);
          }
          scored.finish();
          return key;
        });
  }

  /**
   * Removes expired members.
   *
   * @return whether none is left; if not, the transaction must end and another one continue
   */
  boolean sweep() {
    RowRecord earliest = row.get(ScoredSetFormat.earliestKey());
    if (earliest == null) {
      return true;
    }
    earliestMillis = ScoredSetFormat.time(earliest.value(), 0, earliest.value().length);
    storedEarliestMillis = earliestMillis;
    if (earliestMillis > nowMillis) {
      return true;
    }
    // Start at the earliest: tombstones of earlier sweeps are before it, and are slow to skip until
    // compaction.
    Row.Page page =
        page(ScoredSetFormat.due(earliestMillis, nowMillis), Direction.FORWARD, SWEEP_RECORDS);
    List<RowRecord> due = page.records();
    List<byte[]> elements =
        due.stream().map(record -> ScoredSetFormat.element(record.sortKey())).toList();
    List<@Nullable Member> members = findAll(elements);
    for (int i = 0; i < due.size(); i++) {
      removeDue(due.get(i).sortKey(), elements.get(i), members.get(i));
    }
    if (!page.isLast()) {
      return false;
    }
    List<RowRecord> next = row.scan(ScoredSetFormat.dueAfter(nowMillis), Direction.FORWARD, 1);
    earliestMillis =
        next.isEmpty() ? Expiry.NEVER : ScoredSetFormat.expiryMillis(next.get(0).sortKey());
    return true;
  }

  /**
   * Removes the member of a due record. A due record without a matching member is removed alone.
   */
  private void removeDue(byte[] dueKey, byte[] element, @Nullable Member member) {
    if (member != null && member.expiryMillis() == ScoredSetFormat.expiryMillis(dueKey)) {
      remove(element, member);
    } else {
      row.delete(dueKey);
    }
  }

  /** The member of an element, or null if it is not in the set. */
  @Nullable Member find(byte[] element) {
    return member(row.get(ScoredSetFormat.memberKey(element)));
  }

  /** The members of elements, null for each that is not in the set; one read. */
  List<@Nullable Member> findAll(List<byte[]> elements) {
    List<@Nullable Member> members = new ArrayList<>(elements.size());
    row.getAll(elements.stream().map(ScoredSetFormat::memberKey).toList())
        .forEach(record -> members.add(member(record)));
    return members;
  }

  private static @Nullable Member member(@Nullable RowRecord record) {
    return record == null ? null : Member.read(record.value(), 0, record.value().length);
  }

  /**
   * Changes a member from {@code before} to {@code after}, or removes it if {@code after} has
   * expired. Returns the stored member, or null.
   */
  @Nullable Member write(byte[] element, @Nullable Member before, Member after) {
    if (after.expiryMillis() <= nowMillis) {
      remove(element, before);
      return null;
    }
    if (!after.equals(before)) {
      replace(element, before, after);
    }
    return after;
  }

  private void replace(byte[] element, @Nullable Member before, Member after) {
    row.putCounted(
        ScoredSetFormat.memberKey(element),
        ScoredSetFormat.memberValue(after.score(), after.expiryMillis()),
        Expiry.NEVER);
    boolean moves = before == null || before.score() != after.score();
    if (before != null && moves) {
      removePlace(element, before);
    }
    byte[] place = ScoredSetFormat.placeKey(after.score(), element);
    row.put(place, ScoredSetFormat.placeValue(after.expiryMillis()), Expiry.NEVER);
    if (ranks != null && moves) {
      ranks.insert(place);
    }
    if (before == null || before.expiryMillis() != after.expiryMillis()) {
      removeDue(element, before);
      putDue(element, after);
    }
  }

  private void putDue(byte[] element, Member member) {
    if (member.expires()) {
      row.put(ScoredSetFormat.dueKey(member.expiryMillis(), element), new byte[0], Expiry.NEVER);
      earliestMillis = Math.min(earliestMillis, member.expiryMillis());
    }
  }

  private void removeDue(byte[] element, @Nullable Member member) {
    if (member != null && member.expires()) {
      row.delete(ScoredSetFormat.dueKey(member.expiryMillis(), element));
    }
  }

  private void removePlace(byte[] element, Member member) {
    byte[] place = ScoredSetFormat.placeKey(member.score(), element);
    row.delete(place);
    if (ranks != null) {
      ranks.delete(place);
    }
  }

  /** Removes an element; returns its member, or null. */
  @Nullable Member remove(byte[] element) {
    Member member = find(element);
    remove(element, member);
    return member;
  }

  /** Removes a member as it was found; null if it is not in the set. */
  void remove(byte[] element, @Nullable Member member) {
    if (member != null) {
      row.delete(ScoredSetFormat.memberKey(element));
      removePlace(element, member);
      removeDue(element, member);
    }
  }

  /** The first records of a range: up to {@code limit}, or fewer if they are large. */
  Row.Page page(SortRange range, Direction direction, int limit) {
    return row.page(range, direction, limit, Limits.MAX_BATCH_BYTES);
  }

  /** The rank index. */
  RankReads ranks() {
    if (ranks == null) {
      throw new IllegalStateException("A set without ranks was asked for one.");
    }
    return ranks;
  }

  /** Writes the pending records. Call it once, at the end. */
  void finish() {
    if (ranks != null) {
      ranks.finish();
    }
    if (earliestMillis == storedEarliestMillis) {
      return;
    }
    if (earliestMillis == Expiry.NEVER) {
      row.delete(ScoredSetFormat.earliestKey());
    } else {
      row.put(ScoredSetFormat.earliestKey(), ScoredSetFormat.time(earliestMillis), Expiry.NEVER);
    }
  }
}

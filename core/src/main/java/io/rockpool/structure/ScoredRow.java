package io.rockpool.structure;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a scored set inside one run of a transaction. All records of a member change together:
 * the member and its place, what is due, and the counts of the rank index.
 *
 * <p>What expires is removed by {@link #sweep}, which comes first in each transaction: so that
 * afterwards no record speaks of a member that is none. The time is that of the transaction's
 * beginning throughout. To look whether something is due costs one read; more only where something
 * is.
 */
final class ScoredRow {
  /** How many members one transaction sweeps; bounds what it holds. */
  private static final int SWEEP_RECORDS = 256;

  private final Row row;
  private final long nowMillis;
  private final @Nullable RankWrites ranks;
  private long earliestMillis = Expiry.NEVER;
  private long storedEarliestMillis = Expiry.NEVER;

  ScoredRow(Row row, long nowMillis, boolean ranked) {
    this.row = row;
    this.nowMillis = nowMillis;
    this.ranks = ranked ? new RankWrites(row) : null;
  }

  /**
   * Removes members that have expired.
   *
   * @return whether none is left; else the transaction shall end and another go on
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
    // What was swept before lies in front, and is slow to read over until files are merged.
    List<RowRecord> due =
        row.scan(ScoredSetFormat.due(earliestMillis, nowMillis), Direction.FORWARD, SWEEP_RECORDS);
    due.forEach(record -> removeDue(record.sortKey()));
    if (due.size() == SWEEP_RECORDS) {
      return false;
    }
    List<RowRecord> next = row.scan(ScoredSetFormat.dueAfter(nowMillis), Direction.FORWARD, 1);
    earliestMillis =
        next.isEmpty() ? Expiry.NEVER : ScoredSetFormat.expiryMillis(next.get(0).sortKey());
    return true;
  }

  /** Removes the member that a record says to be due; one that means none goes alone. */
  private void removeDue(byte[] dueKey) {
    byte[] element = ScoredSetFormat.element(dueKey);
    Member member = find(element);
    if (member != null && member.expiryMillis() == ScoredSetFormat.expiryMillis(dueKey)) {
      remove(element, member);
    } else {
      row.delete(dueKey);
    }
  }

  /** What is kept of an element, or null if it is none of the set. */
  @Nullable Member find(byte[] element) {
    RowRecord record = row.get(ScoredSetFormat.memberKey(element));
    return record == null ? null : Member.read(record.value(), 0, record.value().length);
  }

  /**
   * Makes {@code after} of a member that is {@code before}, or nothing if its expiry is past;
   * returns what is there now.
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

  /** Removes an element; returns what was kept of it, or null. */
  @Nullable Member remove(byte[] element) {
    Member member = find(element);
    remove(element, member);
    return member;
  }

  private void remove(byte[] element, @Nullable Member member) {
    if (member != null) {
      row.delete(ScoredSetFormat.memberKey(element));
      removePlace(element, member);
      removeDue(element, member);
    }
  }

  /** The first {@code limit} places of a range. */
  List<RowRecord> places(SortRange range, Direction direction, int limit) {
    return row.scan(range, direction, limit);
  }

  /** The rank index. */
  RankReads ranks() {
    if (ranks == null) {
      throw new IllegalStateException("A set without ranks was asked for one.");
    }
    return ranks;
  }

  /** To be called once all is done. */
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

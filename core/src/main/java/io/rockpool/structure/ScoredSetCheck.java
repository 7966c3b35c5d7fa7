package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceView;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.RankNodeFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the records of a scored set: each member has its place and due record, each of these has
 * its member, and the rank index counts the stored places.
 */
final class ScoredSetCheck implements RecordCheck {
  private static final byte[] ROW = Buckets.of(Buckets.ONE_ROW_SHAPE).rows().get(0);

  private final SpaceView view;
  private final Problems problems;
  private final Decoding decoding;
  private final boolean ranked;
  private long earliestMillis = Expiry.NEVER;
  private long places;
  private long nodes;

  ScoredSetCheck(SpaceView view, Problems problems, Decoding decoding, boolean ranked) {
    this.view = view;
    this.problems = problems;
    this.decoding = decoding;
    this.ranked = ranked;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    byte[] key = record.sortKey();
    expect(Arrays.equals(record.hashKey(), ROW), "a record lies in a row that no scored set has");
    expect(record.expiryMillis() == Expiry.NEVER, "a record has an expiry of its own");
    expect(key.length > 0, "a record has no sort key");
    byte kind = key[0];
    expect(counted == (kind == ScoredSetFormat.MEMBER), "a member alone is counted");
    switch (kind) {
      case ScoredSetFormat.EARLIEST ->
          earliestMillis = ScoredSetFormat.time(record.value(), 0, record.value().length);
      case ScoredSetFormat.MEMBER -> checkMember(record);
      case ScoredSetFormat.PLACE -> checkPlace(record);
      case ScoredSetFormat.DUE -> checkDue(record);
      case RankNodeFormat.KIND -> nodes++;
      default -> expect(false, "a record is of no kind that a scored set has: " + kind);
    }
  }

  private void checkMember(RowRecord record) {
    byte[] element = ScoredSetFormat.memberElement(record.sortKey());
    Member member = member(record);
    RowRecord place = find(ScoredSetFormat.placeKey(member.score(), element));
    expect(place != null, "a member has no place");
    expect(
        place == null || ScoredSetFormat.placeExpiryMillis(place.value()) == member.expiryMillis(),
        "a member and its place do not expire together");
    if (member.expires()) {
      byte[] due = ScoredSetFormat.dueKey(member.expiryMillis(), element);
      expect(find(due) != null, "a member expires and is not listed with those that do");
      expect(
          earliestMillis <= member.expiryMillis(),
          "a member expires before the first is said to, at " + earliestMillis);
    }
    decoding.decode(record);
  }

  private void checkPlace(RowRecord record) {
    places++;
    Member member = memberOf(record);
    expect(
        member != null && member.score() == ScoredSetFormat.score(record.sortKey()),
        "a place is that of no member");
  }

  private void checkDue(RowRecord record) {
    Member member = memberOf(record);
    expect(
        member != null && member.expiryMillis() == ScoredSetFormat.expiryMillis(record.sortKey()),
        "what is listed to expire is no member, or another time");
  }

  private @Nullable Member memberOf(RowRecord placeOrDue) {
    RowRecord member =
        find(ScoredSetFormat.memberKey(ScoredSetFormat.element(placeOrDue.sortKey())));
    return member == null ? null : member(member);
  }

  private static Member member(RowRecord record) {
    return Member.read(record.value(), 0, record.value().length);
  }

  private @Nullable RowRecord find(byte[] sortKey) {
    return view.get(ROW, sortKey);
  }

  @Override
  public void end() {
    if (ranked && places > 0) {
      new RankCheck(view, ROW, problems).check(nodes);
    } else {
      expect(nodes == 0, "there are nodes of a rank index where there is none");
    }
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new CorruptStoreException(otherwise, null);
    }
  }
}

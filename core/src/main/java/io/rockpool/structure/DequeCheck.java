package io.rockpool.structure;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.PositionFormat;
import io.rockpool.store.FindingKind;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the records of a deque match its ends. Expired elements may be anywhere; no operation
 * reads them. After the clock was set back, the check finds elements that the deque counts but no
 * longer shows, because they had expired before.
 */
final class DequeCheck implements RecordCheck {
  private static final byte[] ROW = Buckets.of(Buckets.ONE_ROW_SHAPE).rows().get(0);

  private final Problems problems;
  private final Decoding decoding;
  private final InstantSource clock;
  private @Nullable DequeEnds ends;
  private long offGrid;

  DequeCheck(Problems problems, Decoding decoding, InstantSource clock) {
    this.problems = problems;
    this.decoding = decoding;
    this.clock = clock;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    if (!Arrays.equals(record.hashKey(), ROW)) {
      throw new CorruptStoreException("an element lies in a row that a deque does not have", null);
    }
    boolean isEnds = Arrays.equals(record.sortKey(), DequeRow.ENDS_KEY);
    if (counted == isEnds) {
      throw new CorruptStoreException(
          isEnds ? "the ends of a deque are counted" : "an element is not counted", null);
    }
    if (isEnds) {
      ends = DequeEnds.decode(record.value());
    } else {
      checkElement(record);
    }
  }

  private void checkElement(RowRecord record) {
    long position = DequeRow.position(record);
    if (Expiry.isPast(record.expiryMillis(), clock)) {
      return;
    }
    DequeEnds known = ends;
    if (known == null) {
      throw new CorruptStoreException("a deque has elements, and its ends are missing", null);
    }
    offGrid += PositionFormat.isOnGrid(position) ? 0 : 1;
    if (position < known.from() || position >= known.to()) {
      throw new CorruptStoreException(
          "an element lies at "
              + position
              + ", and the ends of the deque at "
              + known.from()
              + " and "
              + known.to(),
          null);
    }
    if (record.expiryMillis() < known.nextExpiryMillis()) {
      throw new CorruptStoreException(
          "an element expires at "
              + record.expiryMillis()
              + ", before the first is said to, at "
              + known.nextExpiryMillis(),
          null);
    }
    decoding.decode(record);
  }

  @Override
  public void end() {
    if (ends != null && offGrid > ends.offGrid()) {
      problems.add(
          FindingKind.BROKEN_STRUCTURE,
          ROW,
          DequeRow.ENDS_KEY,
          offGrid + " elements lie off the grid, and the deque knows of " + ends.offGrid());
    }
  }
}

package io.rockpool.internal.change;

import io.rockpool.engine.RecordChecks.Problems;
import io.rockpool.engine.RecordChecks.RecordCheck;
import io.rockpool.engine.RowRecord;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.internal.format.ChangeLogHead;
import io.rockpool.internal.format.LoggedChange;
import io.rockpool.store.FindingKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks a change log: its positions are those of the head, without gaps. */
public final class ChangeLogCheck implements RecordCheck {
  private final Problems problems;
  private @Nullable ChangeLogHead head;
  private long next;
  private long bytes;

  /**
   * Starts a check.
   *
   * @param problems receives the defects
   */
  public ChangeLogCheck(Problems problems) {
    this.problems = problems;
  }

  @Override
  public void check(RowRecord record, boolean counted) {
    byte[] key = record.sortKey();
    if (Arrays.equals(record.hashKey(), ChangeLog.CURSORS)) {
      LoggedChange.position(record.value());
    } else if (!Arrays.equals(record.hashKey(), ChangeLog.LOG)) {
      throw new CorruptStoreException("a record lies in a row that no change log has", null);
    } else if (key.length == 0) {
      head = ChangeLogHead.decode(record.value());
      next = head.first();
    } else {
      long position = LoggedChange.position(key);
      long expected = next;
      next = position + 1;
      bytes += ChangeLog.size(record.value());
      LoggedChange.decode(record.value());
      if (head == null || position != expected) {
        throw new CorruptStoreException(
            "a change is at position " + position + " instead of " + expected, null);
      }
    }
  }

  @Override
  public void end() {
    if (head != null && (next != head.next() || bytes != head.bytes())) {
      problems.add(
          FindingKind.BROKEN_STRUCTURE,
          ChangeLog.LOG,
          ChangeLog.HEAD,
          "the changes end at position "
              + next
              + " with "
              + bytes
              + " bytes, and the head says "
              + head.next()
              + " and "
              + head.bytes());
    }
  }
}

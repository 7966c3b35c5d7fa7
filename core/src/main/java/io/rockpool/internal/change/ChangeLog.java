package io.rockpool.internal.change;

import io.rockpool.change.ChangeOptions;
import io.rockpool.engine.CommitLock;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Limits;
import io.rockpool.engine.Row;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.internal.concurrent.WaitingLine;
import io.rockpool.internal.format.BucketFormat;
import io.rockpool.internal.format.ChangeLogHead;
import io.rockpool.internal.format.LoggedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The change log of one name. All its records are in one row, so that each transaction that changes
 * the name waits for the one before it: positions ascend in the order of commits, without gaps. A
 * second row has the positions of cursors.
 *
 * <p>Clearing a space is no part of a transaction. So it is noted in the log's head first, done,
 * and logged; the {@link CommitLock} keeps other commits out meanwhile. After a crash in between,
 * the next write clears again.
 */
public final class ChangeLog {
  /** The row of the changes. */
  static final byte[] LOG = BucketFormat.hashKey(0);

  /** The row of the cursors. */
  static final byte[] CURSORS = BucketFormat.hashKey(1);

  /** The sort key of the head. */
  static final byte[] HEAD = Space.NO_SORT_KEY;

  private static final byte[] NONE = {};

  /** After this many changes, those past the limits are removed. */
  private static final int TRIM_EVERY = 64;

  /** The most changes that are removed then, beside twice as many as were added. */
  private static final int TRIM_RECORDS = 256;

  private final Engine engine;
  private final Space records;
  private final WaitingLine readers = new WaitingLine();
  private final CommitLock commits;
  private final ChangeLogHead empty;

  /** The first position of this thread's running transaction. */
  private final ThreadLocal<@Nullable Long> transaction = new ThreadLocal<>();

  private final AtomicInteger clearings = new AtomicInteger();
  private volatile boolean clearing;
  private volatile boolean unfinished;
  private volatile ChangeOptions options;

  ChangeLog(Engine engine, Space records, ChangeOptions options) {
    this.engine = engine;
    this.records = records;
    this.options = options;
    this.empty = ChangeLogHead.empty(records.info().createdMillis());
    this.commits = new CommitLock(engine, "the change feed");
    this.unfinished = head().pending() != ChangeLogHead.NOTHING;
  }

  void limit(ChangeOptions newOptions) {
    options = newOptions;
  }

  /** The threads that wait for changes. */
  public WaitingLine readers() {
    return readers;
  }

  /** The space of the log. */
  public Space records() {
    return records;
  }

  /** The head of the log. One read. */
  public ChangeLogHead head() {
    return head(records.get(LOG, HEAD));
  }

  private ChangeLogHead head(@Nullable RowRecord record) {
    return record == null ? empty : ChangeLogHead.decode(record.value());
  }

  /**
   * Reads changes from a position on.
   *
   * @param maxBytes after how many bytes to stop; at least one change is read
   * @return the changes that follow each other; none if the first is not in the log
   */
  public List<LoggedChange> read(long position, int max, long maxBytes) {
    List<LoggedChange> page = new ArrayList<>();
    SortRange range = SortRange.all().from(LoggedChange.key(position), true);
    try (Cursor cursor = records.scan(LOG, range, Direction.FORWARD, max)) {
      long bytes = 0;
      while (bytes < maxBytes
          && cursor.next()
          && LoggedChange.position(cursor.sortKey()) == position + page.size()) {
        byte[] value = cursor.value();
        bytes += value.length;
        page.add(LoggedChange.decode(value));
      }
    }
    return page;
  }

  /**
   * Runs a write of records and logs what it changes, as one transaction.
   *
   * @param handle a handle of the log's space
   * @param space the space that is written
   * @param write makes the changes and adds them to the list
   */
  <R extends @Nullable Object> R write(
      Space handle, Space space, Function<List<LoggedChange>, R> write) {
    if (unfinished && !engine.inTransaction()) {
      finish(handle, space);
    }
    return engine.<R>atomically(
        () -> {
          List<LoggedChange> changes = new ArrayList<>();
          R result = write.apply(changes);
          if (!changes.isEmpty()) {
            append(handle, changes);
          }
          return result;
        });
  }

  private void append(Space handle, List<LoggedChange> changes) {
    int clearingsBefore = clearings.get();
    long nowMillis = engine.clock().millis();
    Long first = transaction.get();
    ChangeLogHead before =
        handle.transact(
            LOG,
            row -> {
              ChangeLogHead head = headOf(row);
              append(row, head, first == null ? head.next() : first, changes, nowMillis);
              return head;
            });
    if (before.pending() != ChangeLogHead.NOTHING
        && !clearing
        && clearings.get() == clearingsBefore) {
      throw new IllegalStateException(
          "A clear of the name was not completed, or another process is at it. Write again, outside"
              + " of a transaction.");
    }
    if (first == null) {
      transaction.set(before.next());
      engine.afterTransaction(transaction::remove);
    }
    engine.tellAfterCommit(readers::callAll, commits);
  }

  private ChangeLogHead headOf(Row row) {
    return head(row.get(HEAD));
  }

  private void append(
      Row row, ChangeLogHead head, long first, List<LoggedChange> changes, long nowMillis) {
    long timeMillis = Math.max(nowMillis, head.timeMillis());
    long position = head.next();
    long bytes = head.bytes();
    for (LoggedChange change : changes) {
      byte[] encoded = change.at(timeMillis, Math.toIntExact(position - first)).encode();
      row.insert(LoggedChange.key(position++), encoded, Expiry.NEVER, /* counted= */ false);
      bytes += size(encoded);
    }
    ChangeLogHead after =
        new ChangeLogHead(
            head.pending(), position, head.first(), bytes, timeMillis, head.pendingExpiryMillis());
    if (head.next() / TRIM_EVERY != position / TRIM_EVERY) {
      after = trim(row, after, head.next(), TRIM_RECORDS + 2 * changes.size(), timeMillis);
    }
    row.put(HEAD, after.encode(), Expiry.NEVER);
  }

  static long size(byte[] encoded) {
    return (long) encoded.length + Long.BYTES;
  }

  /** Removes changes past the limits that are before {@code end}; returns the new head. */
  private ChangeLogHead trim(
      Row row, ChangeLogHead head, long end, int maxRecords, long nowMillis) {
    ChangeOptions limits = options;
    long mostChanges = limits.maxChanges() == null ? Long.MAX_VALUE : limits.maxChanges();
    long mostBytes = limits.maxBytes() == null ? Long.MAX_VALUE : limits.maxBytes();
    long first = head.first();
    long bytes = head.bytes();
    int recordsLeft = maxRecords;
    boolean ended = false;
    while (!ended && recordsLeft > 0) {
      SortRange range =
          SortRange.all()
              .from(LoggedChange.key(first), true)
              .to(LoggedChange.key(Math.max(first, end)), false);
      Row.Page page = row.page(range, Direction.FORWARD, recordsLeft, Limits.MAX_BATCH_BYTES);
      ended = page.isLast();
      recordsLeft -= page.records().size();
      for (RowRecord oldest : page.records()) {
        if (head.next() - first <= mostChanges
            && bytes <= mostBytes
            && Expiry.after(LoggedChange.decode(oldest.value()).timeMillis(), limits.maxAge())
                > nowMillis) {
          ended = true;
          break;
        }
        row.delete(oldest.sortKey());
        first++;
        bytes -= size(oldest.value());
      }
    }
    return new ChangeLogHead(
        head.pending(), head.next(), first, bytes, head.timeMillis(), head.pendingExpiryMillis());
  }

  /** Removes some changes past the limits; returns whether there may be more. */
  boolean trim() {
    long nowMillis = engine.clock().millis();
    return records.transact(
        LOG,
        row -> {
          ChangeLogHead head = headOf(row);
          ChangeLogHead after = trim(row, head, head.next(), TRIM_RECORDS, nowMillis);
          if (after.first() > head.first()) {
            row.put(HEAD, after.encode(), Expiry.NEVER);
          }
          return after.first() - head.first() == TRIM_RECORDS;
        });
  }

  /** Clears a space, or sets its expiry, and logs it. */
  void changeAll(Space handle, Space space, byte kind, long expiryMillis) {
    if (engine.inTransaction()) {
      make(space, kind, expiryMillis); // throws
      return;
    }
    commits.lock();
    try {
      if (unfinished) {
        finish(handle, space);
      }
      begin();
      setPending(handle, kind, expiryMillis);
      unfinished = true;
      makeOrUndo(handle, space, kind, expiryMillis);
      logPending(handle, kind, expiryMillis);
    } finally {
      clearing = false;
      commits.unlock();
    }
  }

  /** Like {@link #changeAll}, if a condition on the present expiry holds; returns whether. */
  boolean expireIf(Space handle, Space space, long expiryMillis, LongPredicate condition) {
    commits.lock();
    try {
      boolean holds = condition.test(space.info().expiresMillis());
      if (holds) {
        changeAll(handle, space, LoggedChange.EXPIRY, expiryMillis);
      }
      return holds;
    } finally {
      commits.unlock();
    }
  }

  /** Does again what a crash or an error has interrupted. */
  private void finish(Space handle, Space space) {
    commits.lock();
    try {
      ChangeLogHead head = head();
      begin();
      if (head.pending() != ChangeLogHead.NOTHING) {
        make(space, head.pending(), head.pendingExpiryMillis());
        logPending(handle, head.pending(), head.pendingExpiryMillis());
      }
      unfinished = false;
    } finally {
      clearing = false;
      commits.unlock();
    }
  }

  private void begin() {
    clearings.incrementAndGet();
    clearing = true;
  }

  private void makeOrUndo(Space handle, Space space, byte kind, long expiryMillis) {
    try {
      make(space, kind, expiryMillis);
    } catch (OutcomeUnknownException e) {
      throw e; // the next write makes it known
    } catch (RuntimeException e) {
      try {
        setPending(handle, ChangeLogHead.NOTHING, 0);
        unfinished = false;
      } catch (RuntimeException e2) {
        e.addSuppressed(e2);
      }
      throw e;
    }
  }

  private static void make(Space space, byte kind, long expiryMillis) {
    if (kind == LoggedChange.CLEAR) {
      space.clear();
    } else {
      space.expireAt(expiryMillis);
    }
  }

  private void setPending(Space handle, byte kind, long expiryMillis) {
    handle.transact(
        LOG,
        row -> {
          row.put(HEAD, headOf(row).withPending(kind, expiryMillis).encode(), Expiry.NEVER);
          return true;
        });
  }

  private void logPending(Space handle, byte kind, long expiryMillis) {
    LoggedChange change = LoggedChange.of(kind, NONE, NONE, NONE, expiryMillis);
    engine.atomically(
        () -> {
          append(handle, List.of(change));
          setPending(handle, ChangeLogHead.NOTHING, 0);
          return change;
        });
    unfinished = false;
  }

  /** The position of a cursor; null if there is none. */
  public @Nullable Long cursor(byte[] cursor) {
    RowRecord record = records.get(CURSORS, cursor);
    return record == null ? null : LoggedChange.position(record.value());
  }

  /** Moves or creates a cursor. */
  public void moveCursor(byte[] cursor, long position) {
    records.put(CURSORS, cursor, LoggedChange.key(position), Expiry.NEVER);
  }

  /** Removes a cursor; returns whether there was one. */
  public boolean dropCursor(byte[] cursor) {
    return records.transact(
        CURSORS,
        row -> {
          boolean found = row.get(cursor) != null;
          row.delete(cursor);
          return found;
        });
  }

  /** The records of all cursors. */
  public List<RowRecord> cursors() {
    List<RowRecord> all = new ArrayList<>();
    try (Cursor cursor =
        records.scan(CURSORS, SortRange.all(), Direction.FORWARD, Integer.MAX_VALUE)) {
      while (cursor.next()) {
        all.add(new RowRecord(CURSORS, cursor.sortKey(), cursor.value(), cursor.expiryMillis()));
      }
    }
    return all;
  }
}

package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.format.BucketFormat;
import io.rockpool.internal.format.QueueHead;
import io.rockpool.internal.format.QueueKeyFormat;
import io.rockpool.internal.queue.LeaseReads;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How much names hold, read without all of their elements. */
final class Figures {
  /** An estimate counts one of so many parts. */
  private static final int PARTS = 64;

  /** The most records that are counted for an estimate. */
  private static final int MAX_COUNTED = 20_000;

  private static final byte[] FIRST_ROW = BucketFormat.hashKey(0);

  private final Engine engine;

  Figures(Rockpool pool) {
    this.engine = Internals.store(pool).engine();
  }

  /**
   * The messages of a queue or timer.
   *
   * @param ready those that a consumer may receive now
   * @param delayed those that are due later
   * @param inFlight those that a consumer has
   * @param deadLetters the name of the queue of its dead letters; null if it has none
   */
  record Messages(
      long ready, long delayed, long inFlight, boolean isPaused, @Nullable String deadLetters) {}

  /** The number of elements as text. Expired ones may be among them. */
  String entries(Description name) {
    Space space = engine.open(name.name());
    if (space == null) {
      return "";
    }
    return Set.of("cache", "table").contains(name.type())
        ? estimate(space)
        : text(counted(space, name));
  }

  private static String text(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** The number that the store keeps. */
  private static long counted(Space space, Description name) {
    int rows = Integer.parseInt(name.options().getOrDefault("buckets", "1"));
    long counted =
        IntStream.range(0, rows).mapToLong(row -> space.count(BucketFormat.hashKey(row))).sum();
    return QueueMessages.areIn(name.type()) ? counted + head(space).lasting() : counted;
  }

  /** Counts a part, of which there are several of similar size. */
  private static String estimate(Space space) {
    List<RecordKey> splits = space.splits(PARTS);
    long count = 0;
    try (Cursor cursor = space.scanAll(null, splits.isEmpty() ? null : splits.get(0))) {
      while (count < MAX_COUNTED && cursor.next()) {
        count++;
      }
    }
    long all = count * (splits.size() + 1);
    return (count == MAX_COUNTED ? "over " : splits.isEmpty() ? "" : "about ") + text(all);
  }

  /** Counts the messages of a queue by what they wait for. One read for each that is not ready. */
  Messages messages(Description name) {
    Space space = engine.open(name.name());
    if (space == null) {
      return new Messages(0, 0, 0, false, null);
    }
    long now = engine.clock().millis();
    QueueHead head = head(space);
    long inFlight = LeaseReads.countHeld(space, head.leases(), now);
    long delayed = delayed(space, now);
    return new Messages(
        Math.max(0, counted(space, name) - head.dying() - inFlight - delayed),
        delayed,
        inFlight,
        head.paused(),
        name.options().get("dead-letters"));
  }

  private static QueueHead head(Space space) {
    RowRecord record = space.get(FIRST_ROW, QueueKeyFormat.head());
    return record == null ? QueueHead.NEW : QueueHead.decode(record.value());
  }

  private static long delayed(Space space, long now) {
    long delayed = 0;
    SortRange waiting = SortRange.prefix(new byte[] {QueueKeyFormat.WAITING});
    try (Cursor cursor = space.scan(FIRST_ROW, waiting, Direction.FORWARD, Integer.MAX_VALUE)) {
      while (cursor.next()) {
        delayed += QueueKeyFormat.dueOfWaiting(cursor.sortKey()) > now ? 1 : 0;
      }
    }
    return delayed;
  }
}

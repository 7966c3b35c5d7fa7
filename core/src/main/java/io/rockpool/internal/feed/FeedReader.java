package io.rockpool.internal.feed;

import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Space;
import io.rockpool.error.ChangesLostException;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreClosedException;
import io.rockpool.internal.change.ChangeLog;
import io.rockpool.internal.concurrent.Durations;
import io.rockpool.internal.concurrent.WaitingLine;
import io.rockpool.internal.format.ChangeLogHead;
import io.rockpool.internal.format.LoggedChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the changes of one log, until it is closed. */
final class FeedReader<K, V> {
  /** The maximum number of changes in a page. */
  static final int PAGE = 256;

  private static final long PAGE_BYTES = 1 << 20;

  /** How often a waiting thread looks while changes of other handles may go unreported. */
  private static final long UNREPORTED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String name;
  private final Engine engine;
  private final ChangeLog log;
  private final ChangeDecoder<K, V> decoder;
  private final BooleanSupplier feedLost;
  private volatile @Nullable String closed;

  FeedReader(
      String name,
      Engine engine,
      ChangeLog log,
      ChangeDecoder<K, V> decoder,
      BooleanSupplier feedLost) {
    this.name = name;
    this.engine = engine;
    this.log = log;
    this.decoder = decoder;
    this.feedLost = feedLost;
  }

  String name() {
    return name;
  }

  Engine engine() {
    return engine;
  }

  /** Throws if the feed is closed. */
  void checkOpen() {
    String message = closed;
    if (message != null) {
      throw new StoreClosedException(message);
    }
  }

  /** Uses the log. If another process has dropped it, the exception names the feed. */
  <R extends @Nullable Object> R use(Function<ChangeLog, R> use) {
    checkOpen();
    try {
      return use.apply(log);
    } catch (StoreClosedException e) {
      if (String.valueOf(e.getMessage()).contains(log.records().name())) {
        checkOpen(); // the report of the drop may have come
        throw new StoreClosedException(
            this + " was dropped or reset by another process; open it again.");
      }
      throw e;
    }
  }

  Space space() {
    return log.records();
  }

  void wake() {
    log.readers().callAll();
  }

  /** Closes the feed; {@code why} follows the name in the message. */
  void close(String why) {
    closed = this + " " + why;
    wake();
  }

  /** See {@link io.rockpool.change.ChangeFeed#poll(long, int)}. */
  List<ChangeEvent<K, V>> poll(long position, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("max is " + max + "; give a positive number.");
    }
    if (position == ChangeFeed.OLDEST) {
      return pollOldest(max);
    }
    List<LoggedChange> read = use(it -> read(position, max));
    List<ChangeEvent<K, V>> changes = new ArrayList<>(read.size());
    for (LoggedChange change : read) {
      changes.add(new StoredChange<>(position + changes.size(), change, decoder));
    }
    return changes;
  }

  private List<ChangeEvent<K, V>> pollOldest(int max) {
    while (true) {
      try {
        return poll(resolve(ChangeFeed.OLDEST, use(ChangeLog::head)), max);
      } catch (ChangesLostException e) {
        // The oldest was removed between both reads.
      }
    }
  }

  /** The position that is meant: the first one of the log for {@link ChangeFeed#OLDEST}. */
  static long resolve(long position, ChangeLogHead head) {
    return position == ChangeFeed.OLDEST ? head.first() : position;
  }

  private List<LoggedChange> read(long position, int max) {
    while (true) {
      List<LoggedChange> read = log.read(position, max, PAGE_BYTES);
      if (!read.isEmpty()) {
        return read;
      }
      ChangeLogHead head = log.head();
      check(position, head);
      if (position == head.next()) {
        return List.of();
      }
      if (!log.read(position, 1, 1).isEmpty()) {
        continue; // it was committed since
      }
      check(position, log.head());
      throw new CorruptStoreException(
          "The change at position " + position + " of \"" + name + "\" is missing; run verify.",
          null);
    }
  }

  /** Throws unless changes can be read from a position on. */
  void check(long position, ChangeLogHead head) {
    if (position < head.first()) {
      throw new ChangesLostException(name, position, head.first());
    }
    if (position > head.next()) {
      throw new IllegalArgumentException(
          "The feed of \""
              + name
              + "\" was read from position "
              + position
              + ", and its next change will have position "
              + head.next()
              + "; give one up to that.");
    }
  }

  /** See {@link io.rockpool.change.ChangeFeed#poll(long, int, Duration)}. */
  List<ChangeEvent<K, V>> poll(long position, int max, Duration wait) throws InterruptedException {
    if (engine.inTransaction()) {
      throw new IllegalStateException(
          this
              + " was asked to wait inside a transaction, which would hold up the writers; poll"
              + " without a wait there.");
    }
    List<ChangeEvent<K, V>> found =
        log.readers()
            .await(
                () -> {
                  List<ChangeEvent<K, V>> changes = poll(position, max);
                  return changes.isEmpty() ? null : changes;
                },
                saturatedNanos(wait),
                this::nanosToLook);
    return found == null ? List.of() : found;
  }

  /**
   * Repeats an attempt until it succeeds: after each commit, and each call of a line.
   *
   * @param attempt returns null if it did not succeed
   */
  List<ChangeEvent<K, V>> await(
      WaitingLine line, Supplier<@Nullable List<ChangeEvent<K, V>>> attempt)
      throws InterruptedException {
    List<ChangeEvent<K, V>> found =
        WaitingLine.awaitAny(
            List.of(log.readers(), line), attempt, Long.MAX_VALUE, this::nanosToLook);
    return found == null ? List.of() : found;
  }

  private long nanosToLook() {
    return feedLost.getAsBoolean() ? UNREPORTED_LOOK_NANOS : Long.MAX_VALUE;
  }

  private static long saturatedNanos(Duration wait) {
    return Durations.nanos(wait);
  }

  /** The name, as the start of a sentence. */
  @Override
  public String toString() {
    return "The change feed of \"" + name + "\"";
  }
}

package io.rockpool.internal.feed;

import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.engine.Engine;
import io.rockpool.internal.change.ChangeLog;
import io.rockpool.internal.format.ChangeLogHead;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cursor whose position is a record beside the log. */
final class StoredCursor<K, V> implements ChangeCursor<K, V> {
  private final FeedReader<K, V> feed;
  private final String name;
  private final byte[] key;
  private final long start;
  private Place place;

  /** Where it was before a running transaction moved it; null if none has. */
  private @Nullable Place before;

  /**
   * Where a cursor is.
   *
   * @param position of the next change
   * @param stored the position that was stored when it was read or written last; null for none
   */
  private record Place(long position, @Nullable Long stored) {}

  /** A cursor that starts at a position, unless one is stored. */
  StoredCursor(FeedReader<K, V> feed, String name, byte[] key, long start, @Nullable Long stored) {
    this.feed = feed;
    this.name = name;
    this.key = key;
    this.start = start;
    this.place = storedAt(stored);
  }

  private Place storedAt(@Nullable Long stored) {
    return new Place(stored == null ? start : stored, stored);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long position() {
    return place.position;
  }

  @Override
  public List<ChangeEvent<K, V>> poll(int max) {
    if (feed.engine().inTransaction()) {
      follow();
    }
    return moved(feed.poll(place.position, max));
  }

  @Override
  public List<ChangeEvent<K, V>> poll(int max, Duration wait) throws InterruptedException {
    return moved(feed.poll(place.position, max, wait));
  }

  private List<ChangeEvent<K, V>> moved(List<ChangeEvent<K, V>> changes) {
    if (!changes.isEmpty()) {
      move(new Place(place.position + changes.size(), place.stored));
    }
    return changes;
  }

  /**
   * Continues where another cursor of the name has committed, unless this one has moved since its
   * own commit. No other transaction can commit one until this one ends.
   */
  private void follow() {
    // Lock the changes before the cursors, as writers do.
    ChangeLogHead unused = feed.use(ChangeLog::head);
    Long stored = feed.<@Nullable Long>use(log -> log.cursor(key));
    if (Objects.equals(stored, place.stored)) {
      return;
    }
    Place from = before;
    if (from != null && Objects.equals(stored, from.stored)) {
      move(from); // a part of the transaction was rolled back with its commit
    } else if (stored != null && place.position == storedAt(place.stored).position) {
      move(storedAt(stored));
    }
  }

  /** Moves; if a transaction runs, only if it commits. */
  private void move(Place to) {
    Engine engine = feed.engine();
    if (engine.inTransaction()) {
      if (before == null) {
        Place from = place;
        before = from;
        engine.afterTransaction(
            () -> {
              before = null;
              place = from;
            });
      }
      engine.tellAfterCommit(() -> place = to, null);
    }
    place = to;
  }

  @Override
  public void commit() {
    if (feed.engine().inTransaction()) {
      refuseMoved();
    }
    long position = place.position;
    feed.<@Nullable Void>use(
        log -> {
          log.moveCursor(key, position);
          return null;
        });
    move(new Place(position, position));
  }

  /** Throws if another cursor has committed: its changes would have their effects twice. */
  private void refuseMoved() {
    Long stored = feed.<@Nullable Long>use(log -> log.cursor(key));
    if (stored != null && !stored.equals(place.stored)) {
      throw new IllegalStateException(
          "The cursor \""
              + name
              + "\" of the feed of \""
              + feed.name()
              + "\" was to be committed at position "
              + place.position
              + ", and another cursor of that name has moved it from "
              + storedAt(place.stored).position
              + " to "
              + stored
              + ". Roll back, call rewind, and poll in the transaction.");
    }
  }

  @Override
  public void rewind() {
    move(storedAt(feed.<@Nullable Long>use(log -> log.cursor(key))));
  }

  @Override
  public void seek(long newPosition) {
    if (newPosition < 0) {
      throw new IllegalArgumentException(
          "The position is " + newPosition + "; give one of a change.");
    }
    move(new Place(newPosition, place.stored));
  }
}

package io.rockpool.internal.feed;

import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.engine.Engine;
import java.time.Duration;
import java.util.List;

/** A cursor whose position is a record beside the log. */
final class StoredCursor<K, V> implements ChangeCursor<K, V> {
  private final FeedReader<K, V> feed;
  private final String name;
  private final byte[] key;
  private final long start;
  private long position;

  /** Whether a running transaction has moved it. */
  private boolean moving;

  /** A cursor that starts at a position, unless one is stored. */
  StoredCursor(FeedReader<K, V> feed, String name, byte[] key, long start) {
    this.feed = feed;
    this.name = name;
    this.key = key;
    this.start = start;
    this.position = start;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public List<ChangeEvent<K, V>> poll(int max) {
    return moved(feed.poll(position, max));
  }

  @Override
  public List<ChangeEvent<K, V>> poll(int max, Duration wait) throws InterruptedException {
    return moved(feed.poll(position, max, wait));
  }

  private List<ChangeEvent<K, V>> moved(List<ChangeEvent<K, V>> changes) {
    if (!changes.isEmpty()) {
      move(position + changes.size());
    }
    return changes;
  }

  /** Moves; if a transaction runs, only if it commits. */
  private void move(long to) {
    Engine engine = feed.engine();
    if (engine.inTransaction()) {
      if (!moving) {
        long from = position;
        moving = true;
        engine.afterTransaction(
            () -> {
              moving = false;
              position = from;
            });
      }
      engine.tellAfterCommit(() -> position = to, null);
    }
    position = to;
  }

  @Override
  public void commit() {
    feed.log().moveCursor(key, position);
  }

  @Override
  public void rewind() {
    Long stored = feed.log().cursor(key);
    move(stored == null ? start : stored);
  }

  @Override
  public void seek(long newPosition) {
    if (newPosition < 0) {
      throw new IllegalArgumentException(
          "The position is " + newPosition + "; give one of a change.");
    }
    move(newPosition);
  }
}

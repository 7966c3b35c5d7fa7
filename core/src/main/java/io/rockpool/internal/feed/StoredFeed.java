package io.rockpool.internal.feed;

import io.rockpool.change.ChangeCursor;
import io.rockpool.change.ChangeEvent;
import io.rockpool.change.ChangeFeed;
import io.rockpool.error.LimitExceededException;
import io.rockpool.internal.change.ChangeLog;
import io.rockpool.internal.format.ChangeLogHead;
import io.rockpool.internal.format.LoggedChange;
import io.rockpool.internal.format.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A feed over a change log. */
final class StoredFeed<K, V> implements ChangeFeed<K, V> {
  /** The maximum length of a cursor's name in UTF-8. */
  private static final int MAX_CURSOR_BYTES = 1_024;

  private final FeedReader<K, V> reader;

  StoredFeed(FeedReader<K, V> reader) {
    this.reader = reader;
  }

  FeedReader<K, V> reader() {
    return reader;
  }

  @Override
  public String name() {
    return reader.name();
  }

  @Override
  public long oldest() {
    return reader.use(log -> log.head().first());
  }

  @Override
  public long next() {
    return reader.use(log -> log.head().next());
  }

  @Override
  public Stream<ChangeEvent<K, V>> from(long position) {
    ChangeLogHead head = reader.use(ChangeLog::head);
    long begin = FeedReader.resolve(position, head);
    reader.check(begin, head);
    Iterator<ChangeEvent<K, V>> pages = new Pages(begin, head.next());
    return StreamSupport.stream(
        Spliterators.spliterator(
            pages,
            head.next() - begin,
            Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  private final class Pages implements Iterator<ChangeEvent<K, V>> {
    private final long end;
    private long position;
    private Iterator<ChangeEvent<K, V>> page = List.<ChangeEvent<K, V>>of().iterator();

    Pages(long position, long end) {
      this.position = position;
      this.end = end;
    }

    @Override
    public boolean hasNext() {
      return position < end;
    }

    @Override
    public ChangeEvent<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (!page.hasNext()) {
        page = reader.poll(position, (int) Math.min(FeedReader.PAGE, end - position)).iterator();
      }
      ChangeEvent<K, V> next = page.next();
      position++;
      return next;
    }
  }

  @Override
  public List<ChangeEvent<K, V>> poll(long position, int max) {
    return reader.poll(position, max);
  }

  @Override
  public List<ChangeEvent<K, V>> poll(long position, int max, Duration wait)
      throws InterruptedException {
    return reader.poll(position, max, wait);
  }

  @Override
  public Flow.Publisher<ChangeEvent<K, V>> publisher(long position) {
    return subscriber ->
        new FeedSubscription<>(reader, position, Objects.requireNonNull(subscriber, "subscriber"))
            .start();
  }

  @Override
  public ChangeCursor<K, V> cursor(String cursor) {
    byte[] key = cursorKey(cursor);
    Long stored = reader.<@Nullable Long>use(log -> log.cursor(key));
    return new StoredCursor<>(reader, cursor, key, stored == null ? oldest() : stored, stored);
  }

  private static byte[] cursorKey(String cursor) {
    byte[] key = Utf8.bytes("The name of a cursor", cursor);
    if (key.length == 0) {
      throw new IllegalArgumentException("A cursor has no name; give one.");
    }
    if (key.length > MAX_CURSOR_BYTES) {
      throw new LimitExceededException(
          "The name of a cursor has "
              + key.length
              + " bytes, past the limit of "
              + MAX_CURSOR_BYTES
              + "; make it shorter.",
          "cursor name",
          MAX_CURSOR_BYTES,
          key.length,
          null);
    }
    return key;
  }

  @Override
  public Map<String, Long> cursors() {
    Map<String, Long> all = new TreeMap<>();
    reader
        .use(ChangeLog::cursors)
        .forEach(
            it ->
                all.put(
                    new String(it.sortKey(), StandardCharsets.UTF_8),
                    LoggedChange.position(it.value())));
    return all;
  }

  @Override
  public boolean dropCursor(String cursor) {
    return reader.use(log -> log.dropCursor(cursorKey(cursor)));
  }

  @Override
  public String toString() {
    return reader.toString();
  }
}

package io.rockpool.cli;

import io.rockpool.Description;
import io.rockpool.Rockpool;
import io.rockpool.engine.Cursor;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.internal.access.Internals;
import io.rockpool.internal.format.CacheValueFormat;
import io.rockpool.internal.format.ScoredSetFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The elements of a name, read from its records without the application's classes. */
final class Elements {
  /** The most records that are read for a page, and about the most bytes. */
  private static final int MAX_READ = 100_000;

  private static final long MAX_READ_BYTES = 64L << 20;

  private final Engine engine;
  private final Space space;
  private final String type;
  private final StoredTags tags;

  /** An element and the key of its record. */
  record Found(Element element, RecordKey record) {}

  /**
   * A part of the elements.
   *
   * @param last the key of the last record that was read; null if there are no more
   */
  record Page(List<Found> elements, @Nullable RecordKey last) {}

  private Elements(Engine engine, Space space, String type, StoredTags tags) {
    this.engine = engine;
    this.space = space;
    this.type = type;
    this.tags = tags;
  }

  static Elements of(Rockpool pool, Description name) {
    Engine engine = Internals.store(pool).engine();
    Space space = engine.open(name.name());
    if (space == null) {
      throw new IllegalStateException("The name \"" + name.name() + "\" was dropped meanwhile.");
    }
    return new Elements(engine, space, name.type(), StoredTags.of(engine, name.name()));
  }

  /** Calls {@code visitor} with each element until it returns false. */
  void visit(Predicate<Element> visitor) {
    long now = engine.clock().millis();
    try (Cursor cursor = space.scanAll()) {
      while (cursor.next()) {
        Element element = read(cursor);
        if (element != null && element.expiryMillis() > now && !visitor.test(element)) {
          return;
        }
      }
    }
  }

  /**
   * Reads the next elements that are wanted. Ends early after many records, of which few or none
   * were wanted.
   *
   * @param after the record to continue after; null to begin
   */
  Page page(@Nullable RecordKey after, int limit, Predicate<Element> wanted) {
    long now = engine.clock().millis();
    List<Found> found = new ArrayList<>();
    RecordKey last = after;
    int records = 0;
    long bytes = 0;
    try (Cursor cursor = space.scanAll(after)) {
      while (cursor.next()) {
        if (found.size() == limit || records == MAX_READ || bytes >= MAX_READ_BYTES) {
          return new Page(found, last);
        }
        last = new RecordKey(cursor.hashKey(), cursor.sortKey());
        records++;
        Element element = read(cursor);
        if (element != null && element.expiryMillis() > now) {
          bytes += element.value() == null ? 0 : element.value().length;
          if (wanted.test(element)) {
            found.add(new Found(element, last));
          }
        }
      }
    }
    return new Page(found, null);
  }

  /** The element of the record with a key; null if there is none, or it has expired. */
  @Nullable Element find(RecordKey record) {
    SortRange only = SortRange.all().from(record.sortKey(), true).to(record.sortKey(), true);
    try (Cursor cursor = space.scan(record.hashKey(), only, Direction.FORWARD, 1)) {
      Element element = cursor.next() ? read(cursor) : null;
      return element != null && element.expiryMillis() > engine.clock().millis() ? element : null;
    }
  }

  /** The element of a record; null if the record is part of an index, or was invalidated. */
  private @Nullable Element read(Cursor record) {
    byte[] key = record.sortKey();
    byte[] value = record.value();
    long expiry = record.expiryMillis();
    return switch (type) {
      case "cache" -> cacheEntry(record.hashKey(), value, expiry);
      case "set", "sorted set" -> new Element(null, key, null, null, false, expiry);
      case "table" -> new Element(record.hashKey(), key, value, null, false, expiry);
      case "deque" -> key.length == 0 ? null : new Element(null, null, value, null, false, expiry);
      case "value", "counter" -> new Element(null, null, value, null, false, expiry);
      case "scored set" -> member(key, value);
      case "queue", "timer" -> QueueMessages.of(record);
      default -> new Element(null, key, value, null, false, expiry);
    };
  }

  private @Nullable Element cacheEntry(byte[] key, byte[] value, long expiry) {
    int header = CacheValueFormat.headerBytes(value, 0, value.length);
    byte[] tagged = CacheValueFormat.tags(value, 0, value.length);
    if (tags.haveEnded(tagged)) {
      return null;
    }
    long deadline = CacheValueFormat.deadlineMillis(value, 0);
    byte[] payload = Arrays.copyOfRange(value, header, value.length);
    return new Element(null, key, payload, null, tagged != null, Math.min(expiry, deadline));
  }

  private static @Nullable Element member(byte[] key, byte[] value) {
    if (key.length == 0 || key[0] != ScoredSetFormat.MEMBER) {
      return null;
    }
    return new Element(
        null,
        ScoredSetFormat.memberElement(key),
        null,
        ScoredSetFormat.memberScore(value, 0, value.length),
        false,
        ScoredSetFormat.memberExpiryMillis(value, 0, value.length));
  }

  static boolean expires(Element element) {
    return element.expiryMillis() != Expiry.NEVER;
  }
}

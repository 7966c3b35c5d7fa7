package io.rockpool.structure;

import static io.rockpool.structure.DequeEnd.FIRST;
import static io.rockpool.structure.DequeEnd.LAST;

import io.rockpool.engine.Cursor;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SpaceSnapshot;
import io.rockpool.internal.format.DequeEnds;
import io.rockpool.internal.format.PositionFormat;
import java.time.Instant;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.Objects;

/** The elements of a deque in a snapshot, as an unmodifiable list. */
final class DequeView<E> extends AbstractList<E> {
  private final SpaceSnapshot snapshot;
  private final byte[] hashKey;
  private final ElementCodec<E> codec;
  private final DequeEnds ends;
  private final long count;

  DequeView(SpaceSnapshot snapshot, byte[] hashKey, ElementCodec<E> codec) {
    this.snapshot = snapshot;
    this.hashKey = hashKey;
    this.codec = codec;
    this.ends = DequeRow.ends(snapshot, hashKey);
    this.count = count();
  }

  /** The number of live elements. The row's count would include expired ones. */
  private long count() {
    if (ends.nextExpiryMillis() > snapshot.takenMillis()) {
      return snapshot.count(hashKey);
    }
    long live = 0;
    for (Iterator<RowRecord> walk = records(FIRST); walk.hasNext(); walk.next()) {
      live++;
    }
    return live;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  /** One read if there are no holes, else a scan from the nearer end. */
  @Override
  public E get(int index) {
    Objects.checkIndex(index, size());
    if (ends.offGrid() == 0 && ends.gridPoints() == count) {
      byte[] sortKey = PositionFormat.encode(ends.firstGuess() + index * PositionFormat.SPACING);
      return codec.decode(Objects.requireNonNull(snapshot.get(hashKey, sortKey)));
    }
    DequeEnd end = index < count / 2 ? FIRST : LAST;
    long skipped = end == FIRST ? index : count - 1 - index;
    try (Cursor cursor = DequeElements.cursor(snapshot, hashKey, end, null, Integer.MAX_VALUE)) {
      for (long i = 0; i <= skipped; i++) {
        cursor.next();
      }
      return codec.decode(
          new RowRecord(hashKey, cursor.sortKey(), cursor.value(), cursor.expiryMillis()));
    }
  }

  @Override
  public Iterator<E> iterator() {
    Iterator<RowRecord> records = records(FIRST);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public E next() {
        return codec.decode(records.next());
      }
    };
  }

  private Iterator<RowRecord> records(DequeEnd from) {
    InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(snapshot.takenMillis()));
    return DequeElements.walk(() -> snapshot, hashKey, from, clock, record -> record, record -> {});
  }
}

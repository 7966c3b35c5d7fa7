package io.rockpool.structure;

import io.rockpool.engine.Cursor;
import io.rockpool.internal.format.ScoredSetFormat;

/** A cursor over places. A place has its expiry in its value. */
final class PlaceCursor implements Cursor {
  private final Cursor records;

  PlaceCursor(Cursor records) {
    this.records = records;
  }

  @Override
  public boolean next() {
    return records.next();
  }

  @Override
  public byte[] hashKey() {
    return records.hashKey();
  }

  @Override
  public byte[] sortKey() {
    return records.sortKey();
  }

  @Override
  public byte[] value() {
    return records.value();
  }

  @Override
  public long expiryMillis() {
    return ScoredSetFormat.placeExpiryMillis(records.value());
  }

  @Override
  public void close() {
    records.close();
  }
}

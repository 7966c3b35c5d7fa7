package io.rockpool.internal.engine;

import io.rockpool.engine.Row;

/**
 * A row of a larger transaction, as one row transaction in it sees it. It is valid until the row
 * transaction's function returns; the row itself lives on.
 */
final class JoinedRow extends ForwardingRow {
  private final Row row;
  private volatile boolean ended;

  JoinedRow(Row row) {
    this.row = row;
  }

  void end() {
    ended = true;
  }

  @Override
  protected Row row() {
    if (ended) {
      throw new IllegalStateException(
          "The row was used after its transaction; use it inside only.");
    }
    return row;
  }

  @Override
  public void insert(byte[] sortKey, byte[] value, long expiryMillis, boolean counted) {
    row().insert(sortKey, value, expiryMillis, counted);
  }
}

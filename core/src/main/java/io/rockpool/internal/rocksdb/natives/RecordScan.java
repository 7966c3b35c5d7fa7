package io.rockpool.internal.rocksdb.natives;

/** Raw records in the order of a scan, from wherever they lie. Not thread-safe. */
public interface RecordScan extends AutoCloseable {
  /** Moves to the next record; returns whether there is one. */
  boolean next();

  /** The key of the current record. */
  byte[] key();

  /** Reads the current record into {@link #value}; returns its length. */
  int readValue();

  /** The record that was read last; the next read may reuse the array. */
  byte[] value();

  boolean isClosed();

  @Override
  void close();
}

package io.rockpool.internal.rocksdb.natives;

import org.rocksdb.RocksDBException;

/** The database that a {@link WriteBuffer} writes to. */
interface WriteTarget {
  /**
   * Writes a batch.
   *
   * @param mayWait false to fail instead of waiting for background work of RocksDB
   */
  void write(byte[] batch, boolean sync, boolean mayWait) throws RocksDBException;

  /** The sequence number of its last change. */
  long latestSequence();

  /** Forces the log to disk. */
  void sync() throws RocksDBException;
}

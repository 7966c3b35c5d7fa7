package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

/**
 * The entries of a cache of Rockpool's in a {@link NativeDatabase}: those who use RocksDB without
 * Rockpool begin with the same files and read and write the same bytes.
 */
final class NativeStore implements AutoCloseable {
  private static final int PREFIX_BYTES = 8;

  final RocksDB db;
  final ColumnFamilyHandle entries;

  /** What goes before an encoded key, as Rockpool stores it. */
  private final byte[] keyPrefix;

  /**
   * What goes before an encoded value, as Rockpool stores it where all values are of one length.
   */
  private final byte[] valuePrefix;

  private final NativeDatabase database;

  NativeStore(Path store, int encodedValueBytes) {
    database = new NativeDatabase(store, "entries");
    db = database.db;
    entries = database.family;
    try (RocksIterator any = db.newIterator(entries)) {
      any.seekToFirst();
      keyPrefix = Arrays.copyOf(any.key(), PREFIX_BYTES);
      valuePrefix = Arrays.copyOf(any.value(), any.value().length - encodedValueBytes);
    }
  }

  /** A key as Rockpool stores it. */
  byte[] key(byte[] encoded) {
    return join(keyPrefix, encoded);
  }

  /** A value as Rockpool stores it. */
  byte[] record(byte[] encoded) {
    return join(valuePrefix, encoded);
  }

  /** A record's value, decoded. */
  String decode(byte[] record) {
    return Data.VALUES.decode(record, valuePrefix.length, record.length - valuePrefix.length);
  }

  private static byte[] join(byte[] prefix, byte[] rest) {
    byte[] joined = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, joined, prefix.length, rest.length);
    return joined;
  }

  @Override
  public void close() {
    database.close();
  }
}

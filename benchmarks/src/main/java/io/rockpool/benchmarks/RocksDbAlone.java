package io.rockpool.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * {@link Peer#ROCKSDB}. Keys and values to put are there as bytes from the beginning; values it
 * gets are decoded.
 */
final class RocksDbAlone implements Contestant {
  private final NativeStore store;
  private final byte[][] keys;
  private final byte[][] records;
  private final WriteOptions writes;
  private List<int[]> batches = List.of();
  private List<List<byte[]>> batchKeys = List.of();
  private List<ColumnFamilyHandle> batchFamilies = List.of();

  RocksDbAlone(Path directory, Data data) {
    byte[][] values = data.valueBytes();
    store = new NativeStore(directory, values[0].length);
    writes = new WriteOptions();
    keys = Arrays.stream(data.keyBytes()).map(store::key).toArray(byte[][]::new);
    records = Arrays.stream(values).map(store::record).toArray(byte[][]::new);
  }

  @Override
  public @Nullable Object get(int index) {
    try {
      byte[] record = store.db.get(store.entries, keys[index]);
      return record == null ? null : store.decode(record);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void put(int index) {
    try {
      store.db.put(store.entries, keys[index], records[index % records.length]);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void prepare(List<int[]> newBatches) {
    batches = newBatches;
    batchKeys =
        batches.stream()
            .map(batch -> Arrays.stream(batch).mapToObj(i -> keys[i]).toList())
            .toList();
    batchFamilies = Collections.nCopies(batches.get(0).length, store.entries);
  }

  @Override
  public Object getAll(int batch) {
    try {
      List<String> values = new ArrayList<>();
      for (byte[] record : store.db.multiGetAsList(batchFamilies, batchKeys.get(batch))) {
        values.add(store.decode(record));
      }
      return values;
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void putAll(int batch) {
    try (WriteBatch changes = new WriteBatch()) {
      for (int index : batches.get(batch)) {
        changes.put(store.entries, keys[index], records[index % records.length]);
      }
      store.db.write(writes, changes);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}

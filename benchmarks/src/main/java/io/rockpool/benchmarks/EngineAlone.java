package io.rockpool.benchmarks;

import io.rockpool.RockpoolBuilder;
import io.rockpool.engine.Engine;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.RecordKey;
import io.rockpool.engine.RecordReader;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link Peer#ENGINE}. Keys and values to put are there as bytes from the beginning; values it gets
 * are decoded.
 */
final class EngineAlone implements Contestant {
  private final Engine engine;
  private final Space space;
  private final byte[][] keys;
  private final byte[][] payloads;
  private final RecordReader<String> reader;
  private final int prefixBytes;
  private List<List<RecordKey>> batchKeys = List.of();
  private List<List<RowRecord>> batchRecords = List.of();

  EngineAlone(Path directory, Data data) {
    RocksDbOptions options =
        RocksDbOptions.builder().memoryBudgetBytes(RockpoolBuilder.DEFAULT_MEMORY_BYTES).build();
    engine = RocksDbEngine.open(directory, options);
    space = Objects.requireNonNull(engine.open(PreparedStore.NAME));
    keys = data.keyBytes();
    byte[][] values = data.valueBytes();
    byte[] stored = Objects.requireNonNull(space.get(keys[0], Space.NO_SORT_KEY)).value();
    // What the cache puts before a value is part of the bytes that the engine keeps.
    prefixBytes = stored.length - values[0].length;
    payloads = Arrays.stream(values).map(value -> payload(stored, value)).toArray(byte[][]::new);
    reader =
        (bytes, offset, length, expiryMillis) ->
            Data.VALUES.decode(bytes, offset + prefixBytes, length - prefixBytes);
  }

  private byte[] payload(byte[] stored, byte[] value) {
    byte[] payload = Arrays.copyOf(stored, prefixBytes + value.length);
    System.arraycopy(value, 0, payload, prefixBytes, value.length);
    return payload;
  }

  @Override
  public @Nullable Object get(int index) {
    return space.get(keys[index], Space.NO_SORT_KEY, reader);
  }

  @Override
  public void put(int index) {
    space.put(keys[index], Space.NO_SORT_KEY, payloads[index % payloads.length], Expiry.NEVER);
  }

  @Override
  public void prepare(List<int[]> batches) {
    batchKeys =
        batches.stream()
            .map(batch -> Arrays.stream(batch).mapToObj(this::recordKey).toList())
            .toList();
    batchRecords =
        batches.stream()
            .map(batch -> Arrays.stream(batch).mapToObj(this::record).toList())
            .toList();
  }

  private RecordKey recordKey(int index) {
    return new RecordKey(keys[index], Space.NO_SORT_KEY);
  }

  private RowRecord record(int index) {
    return new RowRecord(
        keys[index], Space.NO_SORT_KEY, payloads[index % payloads.length], Expiry.NEVER);
  }

  @Override
  public Object getAll(int batch) {
    List<String> values = new ArrayList<>();
    for (RowRecord record : space.getAll(batchKeys.get(batch))) {
      byte[] bytes = Objects.requireNonNull(record).value();
      values.add(Data.VALUES.decode(bytes, prefixBytes, bytes.length - prefixBytes));
    }
    return values;
  }

  @Override
  public void putAll(int batch) {
    space.putAll(batchRecords.get(batch));
  }

  @Override
  public void close() {
    engine.close();
  }
}

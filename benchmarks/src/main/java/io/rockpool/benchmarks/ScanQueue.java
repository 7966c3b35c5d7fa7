package io.rockpool.benchmarks;

import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link CollectionPeer#SCAN}: a deque's row of counted records, without the record of its ends.
 */
final class ScanQueue implements PeerCollections, PeerCollections.Queue {
  private static final byte[] ROW = {0};

  private final RocksDbEngine engine;
  private final Space space;

  ScanQueue(Path directory) {
    engine = RocksDbEngine.open(directory, RocksDbOptions.builder().build());
    space = engine.create(new SpaceSpec("queue", Layout.ROWS, Map.of()));
  }

  @Override
  public Queue queue() {
    return this;
  }

  @Override
  public void offer(byte[] element) {
    space.transact(
        ROW,
        row -> {
          RowRecord last = first(row.scan(SortRange.all(), Direction.BACKWARD, 1));
          long next = last == null ? 0 : ByteBuffer.wrap(last.sortKey()).getLong() + 1;
          byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
          row.putCounted(key, element, Expiry.NEVER);
          return next;
        });
  }

  @Override
  public byte @Nullable [] poll() {
    return space.transact(
        ROW,
        row -> {
          RowRecord first = first(row.scan(SortRange.all(), Direction.FORWARD, 1));
          if (first == null) {
            return null;
          }
          row.delete(first.sortKey());
          return first.value();
        });
  }

  private static @Nullable RowRecord first(List<RowRecord> records) {
    return records.isEmpty() ? null : records.get(0);
  }

  @Override
  public void close() {
    engine.close();
  }
}

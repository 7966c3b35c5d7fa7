package io.rockpool.benchmarks;

import io.rockpool.Rockpool;
import io.rockpool.engine.Direction;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.SortRange;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.structure.PersistentDeque;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who keeps a queue in {@link QueueOfferPoll}. */
public enum QueuePeer {
  /** A persistent deque, which knows its ends. */
  DEQUE {
    @Override
    Queue open(Path directory) {
      Rockpool pool = Rockpool.open(directory);
      PersistentDeque<byte[]> deque = pool.deque("queue", byte[].class);
      return new Queue() {
        @Override
        public void offer(byte[] element) {
          deque.offerLast(element);
        }

        @Override
        public byte @Nullable [] poll() {
          return deque.pollFirst();
        }

        @Override
        public void close() {
          pool.close();
        }
      };
    }
  },
  /** The same row of counted records on the same engine, but each end is looked for by a scan. */
  SCAN {
    @Override
    Queue open(Path directory) {
      RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.builder().build());
      Space space = engine.create(new SpaceSpec("queue", Layout.ROWS, Map.of()));
      return new Queue() {
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

        @Override
        public void close() {
          engine.close();
        }
      };
    }
  };

  private static final byte[] ROW = {0};

  /** A queue of byte arrays. */
  interface Queue extends AutoCloseable {
    void offer(byte[] element);

    byte @Nullable [] poll();

    @Override
    void close();
  }

  /** Opens an empty queue in an empty directory. */
  abstract Queue open(Path directory);

  private static @Nullable RowRecord first(List<RowRecord> records) {
    return records.isEmpty() ? null : records.get(0);
  }
}

package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.rocksdb.natives.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.CassandraCompactionFilter;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * What RocksDB's Cassandra compaction filter does to entries: those that have expired vanish, all
 * others stay as they are to the byte. The filter goes by the machine's clock, so the expiries here
 * keep well away from it.
 */
final class EntryCompactionTest {
  private static final int ENTRIES = 20_000;
  private static final int MAX_VALUE_BYTES = 300;
  private static final long AWAY_MILLIS = Duration.ofHours(1).toMillis();
  private static final long FAR_MILLIS = Duration.ofDays(365_000).toMillis();

  @TempDir Path directory;

  @BeforeAll
  static void load() {
    NativeLibrary.load(Path.of("target", "native"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void expiredEntriesVanishAndNothingElseChanges(long seed) throws RocksDBException {
    Random random = new Random(seed);
    Map<ByteBuffer, ByteBuffer> live = new TreeMap<>();
    try (CassandraCompactionFilter filter = new CassandraCompactionFilter(true, 0);
        Options options = new Options().setCreateIfMissing(true).setCompactionFilter(filter);
        RocksDB db = RocksDB.open(options, directory.toString());
        FlushOptions flush = new FlushOptions();
        CompactRangeOptions all =
            new CompactRangeOptions()
                .setBottommostLevelCompaction(BottommostLevelCompaction.kForce)) {
      for (int i = 0; i < ENTRIES; i++) {
        byte[] key =
            EntryKeyFormat.encode(
                1, ByteBuffer.allocate(4).putInt(random.nextInt(ENTRIES)).array());
        byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
        random.nextBytes(value);
        long expiryMillis = expiry(random);
        byte[] record = EntryFormat.encode(value, expiryMillis);
        db.put(key, record);
        if (expiryMillis > System.currentTimeMillis()) {
          live.put(ByteBuffer.wrap(key), ByteBuffer.wrap(record));
        } else {
          live.remove(ByteBuffer.wrap(key));
        }
        if (i % (ENTRIES / 4) == 0) {
          db.flush(flush);
        }
      }
      db.flush(flush);
      db.compactRange(null, null, null, all);
      assertThat(contents(db)).as("seed " + seed).isEqualTo(live);
    }
  }

  private static long expiry(Random random) {
    long now = System.currentTimeMillis();
    return switch (random.nextInt(6)) {
      case 0 -> Expiry.NEVER;
      case 1 -> now - AWAY_MILLIS - random.nextInt(Integer.MAX_VALUE);
      case 2 -> random.nextInt(1_000);
      case 3 -> now + AWAY_MILLIS + random.nextInt(Integer.MAX_VALUE);
      case 4 -> EntryFormat.LAST_NATIVE_EXPIRY_MILLIS + random.nextInt(3) - 1;
      default -> Math.min(now + FAR_MILLIS + random.nextInt(Integer.MAX_VALUE), Expiry.MAX_MILLIS);
    };
  }

  private static Map<ByteBuffer, ByteBuffer> contents(RocksDB db) {
    Map<ByteBuffer, ByteBuffer> contents = new TreeMap<>();
    try (RocksIterator records = db.newIterator()) {
      for (records.seekToFirst(); records.isValid(); records.next()) {
        contents.put(ByteBuffer.wrap(records.key()), ByteBuffer.wrap(records.value()));
      }
    }
    return contents;
  }
}

package io.rockpool.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rockpool.RockpoolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;

/**
 * A store of Rockpool's, opened by RocksDB itself with the settings that Rockpool gives it where
 * they matter: memory, LZ4, bloom filters, the sizes of memtables, pipelined writes. It is of no
 * use to Rockpool afterwards.
 */
final class NativeDatabase implements AutoCloseable {
  private static final long MEMORY_BYTES = RockpoolBuilder.DEFAULT_MEMORY_BYTES;
  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final int PREFIX_BYTES = 8;

  final RocksDB db;
  final ColumnFamilyHandle family;

  private final Cache cache;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  /** Opens a store, to use one of its column families. */
  NativeDatabase(Path store, String family) {
    RocksDB.loadLibrary();
    cache = new HyperClockCache(MEMORY_BYTES, 0, -1, false);
    try {
      Path files = files(store);
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      for (byte[] name : RocksDB.listColumnFamilies(new Options(), files.toString())) {
        families.add(new ColumnFamilyDescriptor(name, familyOptions()));
      }
      db = RocksDB.open(databaseOptions(), files.toString(), families, handles);
      this.family = handles.get(indexOf(family, families));
    } catch (RocksDBException e) {
      throw new IllegalStateException("The store in " + store + " cannot be opened.", e);
    }
  }

  private DBOptions databaseOptions() {
    return new DBOptions()
        .setWriteBufferManager(new WriteBufferManager(MEMORY_BYTES / 4, cache))
        .setEnablePipelinedWrite(true)
        .setMaxBackgroundJobs(Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors())))
        .setStatsDumpPeriodSec(0);
  }

  private ColumnFamilyOptions familyOptions() {
    return new ColumnFamilyOptions()
        .setWriteBufferSize(MEMORY_BYTES / 8)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .useFixedLengthPrefixExtractor(PREFIX_BYTES)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(new BloomFilter(BLOOM_BITS_PER_KEY))
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
  }

  private static int indexOf(String family, List<ColumnFamilyDescriptor> families) {
    for (int i = 0; i < families.size(); i++) {
      if (Arrays.equals(families.get(i).getName(), family.getBytes(UTF_8))) {
        return i;
      }
    }
    throw new IllegalStateException("There is no column family " + family + ".");
  }

  private static Path files(Path store) {
    try (Stream<Path> found = Files.walk(store)) {
      Path current = found.filter(file -> file.endsWith("CURRENT")).findFirst().orElseThrow();
      return current.getParent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    handles.forEach(ColumnFamilyHandle::close);
    db.close();
  }
}

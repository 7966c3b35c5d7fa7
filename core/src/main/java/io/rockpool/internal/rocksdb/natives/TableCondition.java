package io.rockpool.internal.rocksdb.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.TableProperties;
import org.rocksdb.UInt64AddOperator;

/**
 * What can be read of a table.
 *
 * @param family its column family; null if nothing can be read
 * @param lost about how many records cannot be read
 * @param damaged the keys that cannot be read
 * @param problem what is wrong with it; null if it is sound
 */
public record TableCondition(
    @Nullable ColumnFamily family, long lost, List<KeyStretch> damaged, @Nullable String problem) {

  /** Reads all of a table unless its checksums are right. */
  public static TableCondition of(Path file) {
    try (UInt64AddOperator counts = new UInt64AddOperator();
        Options options = new Options().setMergeOperator(counts);
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      TableProperties properties = reader.getTableProperties();
      String name = new String(properties.getColumnFamilyName(), StandardCharsets.US_ASCII);
      for (ColumnFamily family : ColumnFamily.values()) {
        if (new String(family.bytes(), StandardCharsets.US_ASCII).equals(name)) {
          return of(reader, family, properties);
        }
      }
      return unreadable("it names no column family of a store");
    } catch (RocksDBException e) {
      return unreadable(String.valueOf(e.getMessage()));
    }
  }

  /** What RocksDB says of the first block with a wrong checksum; null if there is none. */
  static @Nullable String checksumProblem(Path file) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      reader.verifyChecksum();
      return null;
    } catch (RocksDBException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** This condition, with the number of the records that a mended copy lacks. */
  TableCondition withLostIn(Path mended) throws IOException {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options);
        ReadOptions reads = new ReadOptions().setTotalOrderSeek(true).setFillCache(false)) {
      reader.open(mended.toString());
      TableProperties properties = reader.getTableProperties();
      long left = properties.getNumEntries() - properties.getNumDeletions();
      try (SstFileReaderIterator records = reader.newIterator(reads)) {
        for (records.seekToFirst(); records.isValid(); records.next()) {
          left--;
        }
        records.status();
      }
      return new TableCondition(family, Math.max(0, left), damaged, problem);
    } catch (RocksDBException e) {
      throw new IOException("The mended table " + mended + " cannot be read.", e);
    }
  }

  private static TableCondition unreadable(String problem) {
    return new TableCondition(null, 0, List.of(), problem);
  }

  private static TableCondition of(
      SstFileReader reader, ColumnFamily family, TableProperties properties) {
    try {
      reader.verifyChecksum();
      return new TableCondition(family, 0, List.of(), null);
    } catch (RocksDBException damage) {
      List<KeyStretch> damaged = new ArrayList<>();
      long read = 0;
      try (ReadOptions reads = new ReadOptions().setTotalOrderSeek(true).setFillCache(false);
          SstFileReaderIterator records = reader.newIterator(reads)) {
        records.seekToFirst();
        byte[] from = new byte[0];
        while (true) {
          while (records.isValid()) {
            read++;
            from = KeyStretch.after(records.key());
            records.next();
          }
          if (isFine(records)) {
            break;
          }
          KeyStretch stretch = KeyStretch.from(from, null, key -> isReadable(records, key));
          add(stretch, damaged);
          if (stretch.to() == null) {
            break;
          }
          from = stretch.to();
          records.seek(from);
        }
      }
      long lost = properties.getNumEntries() - properties.getNumDeletions() - read;
      return new TableCondition(
          family, Math.max(0, lost), damaged, String.valueOf(damage.getMessage()));
    }
  }

  /** Adds a stretch to the last one if it begins where that ends. */
  private static void add(KeyStretch stretch, List<KeyStretch> damaged) {
    int last = damaged.size() - 1;
    if (last >= 0 && Arrays.equals(damaged.get(last).to(), stretch.from())) {
      damaged.set(last, new KeyStretch(damaged.get(last).from(), stretch.to()));
    } else {
      damaged.add(stretch);
    }
  }

  private static boolean isReadable(SstFileReaderIterator records, byte[] key) {
    records.seek(key);
    return records.isValid() || isFine(records);
  }

  private static boolean isFine(SstFileReaderIterator records) {
    try {
      records.status();
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }
}

package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.PersistentCache;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.structure.PersistentMap;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One flipped byte is found also where large values are, by a store that goes on using them. */
@Timeout(60)
final class LargeValueFindingsTest extends FindingsSetup {
  private static final int VALUES = 3;
  private static final int VALUE_BYTES = 64 << 10;

  /** A part of a file of large values, by the offset of one of its bytes. */
  enum Part {
    MAGIC(0),
    COMPRESSION(13),
    FILE_HEADER_END(29),
    RECORD_HEADER(30),
    KEY(30 + 32 + 8),
    VALUE(VALUES * VALUE_BYTES / 2),
    FILE_FOOTER(-20);

    private final int offset;

    Part(int offset) {
      this.offset = offset;
    }

    long offsetIn(Path file) throws IOException {
      return offset < 0 ? Files.size(file) + offset : offset;
    }
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void aFlippedByteOfAFileOfLargeValuesIsFound(Part part) throws IOException {
    putLargeRows();
    Path file = largest(".blob");
    assertThat(Files.size(file)).isGreaterThan(VALUES * VALUE_BYTES);
    flip(file, part.offsetIn(file));
    assertFound(pool.verify());
    assertFound(pool.verify(VerifyOptions.defaults().decodeValues(true)));
    flip(file, part.offsetIn(file));
    assertThat(pool.verify().findings()).isEmpty();
  }

  /** Of one that is cut off, nothing but the end is missing. */
  @ParameterizedTest
  @ValueSource(ints = {1, 32, VALUE_BYTES, VALUES * VALUE_BYTES})
  void aFileOfLargeValuesThatWasCutOffIsFound(int bytes) throws IOException {
    putLargeRows();
    Path file = largest(".blob");
    try (RandomAccessFile there = new RandomAccessFile(file.toFile(), "rw")) {
      there.setLength(there.length() - bytes);
    }
    assertFound(pool.verify());
  }

  private static void assertFound(VerifyReport report) {
    assertThat(report.findings())
        .as(report.toString())
        .isNotEmpty()
        .extracting(Finding::kind)
        .isSubsetOf(FindingKind.DAMAGED_FILE, FindingKind.UNREADABLE_RECORDS);
    assertThat(report.isComplete()).isTrue();
  }

  private void putLargeRows() {
    PersistentMap<Integer, byte[]> map = pool.map("map", Integer.class, byte[].class);
    for (int key = 0; key < VALUES; key++) {
      map.put(key, value(key));
    }
    CorruptedStore.flush(engine);
    for (int key = 0; key < VALUES; key++) {
      assertThat(map.get(key)).isEqualTo(value(key)); // the file is in use, and whole
    }
  }

  /** Those of caches lie among the small ones. */
  @Test
  void aFlippedByteOfALargeEntryIsFound() throws IOException {
    PersistentCache<Integer, byte[]> cache =
        pool.cache("cache", Integer.class, byte[].class, o -> o.hotEntries(0));
    for (int key = 0; key < VALUES; key++) {
      cache.put(key, value(key));
    }
    CorruptedStore.flush(engine);
    for (int key = 0; key < VALUES; key++) {
      assertThat(cache.get(key)).isEqualTo(value(key));
    }
    Path file = largest(".sst");
    assertThat(Files.size(file)).isGreaterThan(VALUES * VALUE_BYTES);
    flip(file, Files.size(file) / 2);
    assertFound(pool.verify());
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(key).nextBytes(value);
    return value;
  }

  private Path largest(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("db"))) {
      List<Path> all = files.filter(file -> file.toString().endsWith(suffix)).toList();
      return all.stream()
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile there = new RandomAccessFile(file.toFile(), "rw")) {
      there.seek(offset);
      int before = there.read();
      there.seek(offset);
      there.write(before ^ 1);
    }
  }
}

package io.rockpool.engine.rocksdb;

import static io.rockpool.engine.rocksdb.CorruptedStore.delete;
import static io.rockpool.engine.rocksdb.CorruptedStore.flush;
import static io.rockpool.engine.rocksdb.CorruptedStore.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.CountFormat;
import io.rockpool.internal.format.DeadGeneration;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.DescriptorCopy;
import io.rockpool.internal.format.EntryFormat;
import io.rockpool.internal.format.EntryKeyFormat;
import io.rockpool.internal.format.ExpiryIndexFormat;
import io.rockpool.internal.format.NextGenerationFormat;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.NotEncrypted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each thing that can be wrong is found, and is all that is found. */
@Timeout(60)
final class FindingsTest extends FindingsSetup {
  @Test
  void aMalformedRecord() {
    putMap();
    put(engine, ColumnFamily.ROWS, rowKey("map", ROW, bytes("\n?\u00e4")), new byte[] {8, 1});
    Finding finding = only(FindingKind.MALFORMED_RECORD, "map", 1);
    assertThat(finding.key()).isEqualTo("\\x00 \\x0a?\\xc3\\xa4");
    assertThat(finding.detail()).contains("0x08");
  }

  @Test
  void aMalformedEntry() {
    pool.cache("cache", String.class, String.class).put("a", SECRET);
    byte[] entry = EntryFormat.encode(VALUE, Expiry.NEVER);
    entry[24]++;
    put(engine, ColumnFamily.ENTRIES, EntryKeyFormat.encode(generation("cache"), ROW), entry);
    only(FindingKind.MALFORMED_RECORD, "cache", 1);
  }

  @Test
  @NotEncrypted("writes records past the layers")
  void aWrongCount() {
    putMap();
    putRow("map", ROW, bytes("c"), VALUE, true);
    putRow("map", ROW, bytes("d"), VALUE, true);
    Finding finding = only(FindingKind.WRONG_COUNT, "map", 1);
    assertThat(finding.detail()).contains("4 counted records").contains("kept is 2");
  }

  @Test
  void aCountOfNoRecords() {
    putMap();
    byte[] key = EntryKeyFormat.encode(generation("map"), bytes("none"));
    put(engine, ColumnFamily.COUNTS, key, CountFormat.encode(5));
    Finding finding = only(FindingKind.WRONG_COUNT, "map", 1);
    assertThat(finding.key()).isEqualTo("none");
  }

  @Test
  void aCountThatIsNoNumber() {
    putMap();
    put(engine, ColumnFamily.COUNTS, EntryKeyFormat.encode(generation("map"), ROW), new byte[3]);
    only(FindingKind.WRONG_COUNT, "map", 1);
  }

  @Test
  void aRecordThatIsNotInTheIndex() {
    putMap();
    long expiry = clock.millis() + Duration.ofDays(1).toMillis();
    byte[] key = ExpiryIndexFormat.encode(expiry, rowKey("map", ROW, bytes("b")));
    delete(engine, ColumnFamily.EXPIRIES, key);
    only(FindingKind.MISSING_INDEX_RECORD, "map", 1);
  }

  @Test
  void malformedIndexRecords() {
    putMap();
    put(engine, ColumnFamily.EXPIRIES, new byte[12], NOTHING);
    byte[] never = RowKeyFormat.encode(99, ROW, ROW);
    put(engine, ColumnFamily.EXPIRIES, ExpiryIndexFormat.encode(1, never), NOTHING);
    only(FindingKind.MALFORMED_INDEX_RECORD, "", 2);
  }

  @Test
  void recordsOfNoName() {
    putMap();
    pool.set("gone", String.class).add("x");
    put(
        engine,
        ColumnFamily.ENTRIES,
        EntryKeyFormat.encode(generation("map"), ROW),
        EntryFormat.encode(VALUE, Expiry.NEVER));
    delete(engine, ColumnFamily.CATALOG, CatalogKeyFormat.name("gone"));
    delete(engine, ColumnFamily.DEFAULT, CatalogKeyFormat.name("gone"));
    // Its record and its count, and what lies in the wrong place.
    only(FindingKind.UNREACHABLE_RECORDS, "", 3);
  }

  @Test
  void deadGenerationsAreNone() {
    putMap();
    pool.names().drop("map");
    assertThat(pool.verify().isClean()).isTrue();
  }

  @Test
  void malformedCatalogRecords() {
    put(engine, ColumnFamily.CATALOG, CatalogKeyFormat.name("bad"), new byte[] {1, 2, 3});
    put(engine, ColumnFamily.CATALOG, bytes("?"), NOTHING);
    put(engine, ColumnFamily.CATALOG, CatalogKeyFormat.deadGeneration(1), NOTHING);
    byte[] descriptor = new Descriptor(Layout.ROWS, 1, 0, 0, 0, 0, Map.of()).encode();
    put(engine, ColumnFamily.CATALOG, CatalogKeyFormat.name("a//\u0007"), descriptor);
    only(FindingKind.MALFORMED_CATALOG, "", 4);
  }

  @Test
  void copiesOfDescriptorsThatAreNone() {
    putMap();
    byte[] map = CatalogKeyFormat.name("map");
    byte[] older = descriptor("map").withAttributes(Map.of()).encode();
    put(engine, ColumnFamily.DEFAULT, map, DescriptorCopy.encode(map, older));
    byte[] gone = CatalogKeyFormat.name("gone");
    put(engine, ColumnFamily.DEFAULT, gone, DescriptorCopy.encode(gone, older));
    put(engine, ColumnFamily.DEFAULT, ROW, ROW);
    only(FindingKind.MALFORMED_CATALOG, "", 3);
  }

  @Test
  void twoNamesOfTheSameRecords() {
    putMap();
    byte[] descriptor = descriptor("map").encode();
    put(engine, ColumnFamily.CATALOG, CatalogKeyFormat.name("twin"), descriptor);
    only(FindingKind.CONFLICTING_GENERATIONS, "twin", 1);
  }

  @Test
  void aNameWhoseRecordsAreDead() {
    putMap();
    byte[] key = CatalogKeyFormat.deadGeneration(generation("map"));
    put(engine, ColumnFamily.CATALOG, key, new DeadGeneration(Layout.ROWS, 1).encode());
    only(FindingKind.CONFLICTING_GENERATIONS, "map", 1);
  }

  @Test
  void aGenerationThatWillBeGivenAgain() {
    putMap();
    byte[] next = NextGenerationFormat.encode(generation("map"));
    put(engine, ColumnFamily.CATALOG, CatalogKeyFormat.nextGeneration(), next);
    VerifyReport report = pool.verify();
    assertThat(report.findings())
        .extracting(Finding::kind)
        .contains(FindingKind.CONFLICTING_GENERATIONS);
  }

  @Test
  void damagedFiles() throws IOException {
    putMap();
    pool.cache("cache", String.class, String.class).put("a", SECRET);
    flush(engine);
    Path sorted = largest();
    byte[] whole = Files.readAllBytes(sorted);
    byte[] flipped = whole.clone();
    flipped[10] ^= 1;
    Files.write(sorted, flipped);
    VerifyReport report = pool.verify();
    assertThat(report.findings().get(0).kind()).isEqualTo(FindingKind.DAMAGED_FILE);
    assertThat(report.findings().get(0).key()).isEqualTo(sorted.getFileName().toString());
    assertThat(report.findings().get(0).detail()).contains("checksum");
    Files.delete(sorted);
    Files.delete(directory.resolve("recovery"));
    report = pool.verify();
    assertThat(report.findings().get(0).kind()).isEqualTo(FindingKind.DAMAGED_FILE);
    assertThat(report.findings().get(0).detail()).contains("missing");
    assertThat(report.findings().get(0).count()).isEqualTo(2);
    Files.write(sorted, whole);
    Files.write(directory.resolve("recovery"), NOTHING);
  }

  private Path largest() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("db"))) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  /** The damage of one space hides nothing that is wrong in the next. */
  @Test
  void whatLiesBehindUnreadableRecordsIsLookedAt() throws IOException {
    byte[] noise = new byte[200];
    for (int i = 0; i < 2_000; i++) {
      new Random(i).nextBytes(noise);
      pool.sortedMap("first", Integer.class, String.class)
          .put(i, new String(noise, StandardCharsets.ISO_8859_1));
      pool.sortedMap("second", Integer.class, String.class)
          .put(i, new String(noise, StandardCharsets.ISO_8859_1));
    }
    putRow("second", ROW, bytes("zzzz"), NOTHING, false);
    flush(engine);
    Path sorted = largest();
    pool.close();
    byte[] bytes = Files.readAllBytes(sorted);
    bytes[bytes.length / 5] ^= 1;
    Files.write(sorted, bytes);
    open();
    VerifyReport report = pool.verify();
    assertThat(report.findings().stream().map(finding -> finding.kind() + " " + finding.space()))
        .as(report.toString())
        .containsExactly("DAMAGED_FILE ", "UNREADABLE_RECORDS first", "BROKEN_STRUCTURE second");
  }
}

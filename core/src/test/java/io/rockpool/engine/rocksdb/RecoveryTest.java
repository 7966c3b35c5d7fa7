package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.internal.rocksdb.natives.Database;
import io.rockpool.store.RecoveryReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;

/** What opening a store says about the time before. */
@Timeout(60)
final class RecoveryTest {
  private static final int RECORDS = 1_000;
  private static final RocksDbOptions OPTIONS =
      RocksDbOptions.builder().syncPeriod(Duration.ofMillis(1)).build();

  @TempDir Path parent;

  private Path directory() {
    return parent.resolve("store");
  }

  private static void fill(RocksDbEngine engine) {
    Space space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
    for (int i = 0; i < RECORDS; i++) {
      space.put(bytes("row"), bytes("" + i), new byte[100], Expiry.NEVER);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A copy of the store as a crash would leave it, taken once all is forced to the disk. */
  private Path crashed() throws IOException {
    try (RocksDbEngine engine = RocksDbEngine.open(directory(), OPTIONS)) {
      fill(engine);
      awaitForced(engine);
      return copy();
    }
  }

  private void awaitForced(RocksDbEngine engine) throws IOException {
    long latest = engine.internals().database().latestSequence();
    while (recoveryPoint().sequence() < latest) {
      Thread.onSpinWait();
    }
  }

  private Path copy() throws IOException {
    Path copy = parent.resolve("copy");
    try (Stream<Path> files = Files.walk(directory())) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(directory().relativize(file).toString()));
      }
    }
    return copy;
  }

  private RecoveryPoint recoveryPoint() throws IOException {
    RecoveryPoint point = RecoveryPoint.decode(Files.readAllBytes(directory().resolve("recovery")));
    return point == null ? new RecoveryPoint(false, 0, 0, 0) : point;
  }

  private static List<Path> logs(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("db"))) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    }
  }

  private static RecoveryReport reportOf(Path store) {
    try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
      return engine.recoveryReport();
    }
  }

  @Test
  void aNewStoreIsClean() {
    assertThat(reportOf(directory())).isEqualTo(new RecoveryReport(true, 0, "The store is new."));
  }

  @Test
  void aClosedStoreIsClean() throws IOException {
    crashed();
    for (int i = 0; i < 3; i++) {
      RecoveryReport report = reportOf(directory());
      assertThat(report.clean()).as(report.message()).isTrue();
      assertThat(report.changesLost()).isZero();
    }
  }

  @Test
  void aCrashedStoreIsNotCleanAndLostNothing() throws IOException {
    Path store = crashed();
    RecoveryReport report = reportOf(store);
    assertThat(report.clean()).isFalse();
    assertThat(report.changesLost()).as(report.message()).isZero();
    assertThat(reportOf(store).clean()).isTrue();
  }

  @Test
  void aCrashedStoreWithoutItsJournalSaysSo() throws IOException {
    Path store = crashed();
    Files.delete(store.resolve("journal"));
    RecoveryReport report = reportOf(store);
    assertThat(report.clean()).isFalse();
    assertThat(report.changesLost()).isZero();
    assertThat(report.message()).contains("its journal is missing");
    Files.delete(store.resolve("journal"));
    assertThat(reportOf(store).clean()).as("it was closed").isTrue();
  }

  /** As a full disk leaves it: no more is known of the file that was to be in it. */
  @Test
  void aManifestThatEndsWithinARecordIsNoReasonToRefuseTheStore() throws IOException {
    try (RocksDbEngine engine = RocksDbEngine.open(directory(), OPTIONS)) {
      fill(engine);
      awaitForced(engine);
      byte[] begunRecord = {1, 2, 3, 4, 100, 0, 1, 5, 6};
      Files.write(manifest(), begunRecord, StandardOpenOption.APPEND);
      for (int syncs = 0; syncs < 3; syncs++) {
        engine.open("rows").put(bytes("row"), bytes("" + syncs), new byte[1], Expiry.NEVER);
        awaitForced(engine);
      }
      assertThat(reportOf(copy()).changesLost()).isZero();
    }
  }

  private Path manifest() throws IOException {
    Path files = directory().resolve("db");
    return files.resolve(Files.readString(files.resolve("CURRENT")).strip());
  }

  @Test
  void aDeletedLogIsReported() throws IOException {
    Path store = crashed();
    for (Path log : logs(store)) {
      Files.delete(log);
    }
    RecoveryReport report = reportOf(store);
    assertThat(report.clean()).isFalse();
    assertThat(report.changesLost()).as(report.message()).isGreaterThanOrEqualTo(RECORDS);
    assertThat(report.message()).contains("at least " + report.changesLost() + " changes");
  }

  @Test
  void aCutLogIsReported() throws IOException {
    Path store = crashed();
    for (Path log : logs(store)) {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(file.length() / 2);
      }
    }
    RecoveryReport report = reportOf(store);
    assertThat(report.changesLost()).as(report.message()).isBetween(RECORDS / 3L, RECORDS * 2L / 3);
  }

  @Test
  void aLogDeletedAfterACleanCloseIsReported() throws IOException {
    crashed();
    for (Path log : logs(directory())) {
      Files.delete(log);
    }
    RecoveryReport report = reportOf(directory());
    assertThat(report.clean()).isFalse();
    assertThat(report.message()).contains("was closed");
    assertThat(report.changesLost()).as(report.message()).isGreaterThanOrEqualTo(RECORDS);
  }

  @Test
  void aMissingOrDamagedRecoveryPointIsReported() throws IOException {
    crashed();
    Files.delete(directory().resolve("recovery"));
    assertThat(reportOf(directory()).message()).contains("missing or damaged");
    Files.write(directory().resolve("recovery"), new byte[20]);
    RecoveryReport report = reportOf(directory());
    assertThat(report.clean()).isFalse();
    assertThat(report.message()).contains("missing or damaged");
    assertThat(reportOf(directory()).clean()).isTrue();
  }

  /** Were a generation used again, a new space would see the records of the lost one. */
  @Test
  void noGenerationIsUsedAgainWhenTheCatalogLostItsLog() throws Exception {
    Path store = directory();
    try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
      fill(engine);
      Database database = engine.internals().database();
      try (FlushOptions flush = new FlushOptions()) {
        database.nativeDatabase().flush(flush, database.handle(ColumnFamily.ROWS));
      }
    }
    for (Path log : logs(store)) {
      Files.delete(log);
    }
    try (RocksDbEngine engine = RocksDbEngine.open(store, OPTIONS)) {
      assertThat(engine.list("")).isEmpty();
      Space space = engine.create(new SpaceSpec("other", Layout.ROWS, Map.of()));
      assertThat(space.get(bytes("row"), bytes("1"))).isNull();
    }
  }
}

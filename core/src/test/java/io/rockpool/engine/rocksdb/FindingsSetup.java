package io.rockpool.engine.rocksdb;

import static io.rockpool.engine.rocksdb.CorruptedStore.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Expiry;
import io.rockpool.internal.format.CatalogKeyFormat;
import io.rockpool.internal.format.Descriptor;
import io.rockpool.internal.format.RowKeyFormat;
import io.rockpool.internal.format.RowRecordFormat;
import io.rockpool.internal.rocksdb.natives.ColumnFamily;
import io.rockpool.store.Finding;
import io.rockpool.store.FindingKind;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.FakeClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store in which a test makes something wrong, past all that keeps it in order. */
abstract class FindingsSetup {
  static final String SECRET = "secret-value";
  static final byte[] ROW = {0};

  /** A string, after the tag of its codec. */
  static final byte[] VALUE = bytes("\u0001" + SECRET);

  static final byte[] NOTHING = {};

  @TempDir Path directory;
  final FakeClock clock = new FakeClock();
  RocksDbEngine engine;
  Rockpool pool;

  @BeforeEach
  void open() {
    engine = RocksDbEngine.open(directory, RocksDbOptions.builder().clock(clock).build());
    pool = Rockpool.at(o -> engine).open();
  }

  @AfterEach
  void close() {
    pool.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  final Descriptor descriptor(String name) {
    byte[] record =
        engine.internals().database().get(ColumnFamily.CATALOG, CatalogKeyFormat.name(name));
    return Descriptor.decode(Objects.requireNonNull(record));
  }

  final long generation(String name) {
    return descriptor(name).generation();
  }

  final byte[] rowKey(String name, byte[] hashKey, byte[] sortKey) {
    return RowKeyFormat.encode(generation(name), hashKey, sortKey);
  }

  final void putRow(String name, byte[] hashKey, byte[] sortKey, byte[] value, boolean counted) {
    put(
        engine,
        ColumnFamily.ROWS,
        rowKey(name, hashKey, sortKey),
        RowRecordFormat.encode(value, Expiry.NEVER, counted));
  }

  /** The only finding, which shows what it should and nothing of a value. */
  final Finding only(FindingKind kind, String space, long count) {
    VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
    assertThat(report.findings()).as(report.toString()).hasSize(1);
    Finding finding = report.findings().get(0);
    assertThat(finding.kind()).as(report.toString()).isEqualTo(kind);
    assertThat(finding.space()).as(report.toString()).isEqualTo(space);
    assertThat(finding.count()).as(report.toString()).isEqualTo(count);
    assertThat(report.isComplete()).isTrue();
    assertThat(report.isClean()).isFalse();
    assertThat(report.toString())
        .contains("1 finding")
        .contains(finding.detail())
        .contains(kind.advice())
        .doesNotContain(SECRET);
    return finding;
  }

  final void putMap() {
    pool.sortedMap("map", String.class, String.class).put("a", SECRET);
    pool.sortedMap("map", String.class, String.class).put("b", SECRET, Duration.ofDays(1));
  }
}

package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.engine.rocksdb.EngineInternals;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

final class FailuresTest {
  private static final int RECORDS = 1_000;

  @TempDir Path directory;

  private RockpoolException of(Status.Code code, Status.SubCode subCode) {
    RocksDBException e = new RocksDBException("it broke", new Status(code, subCode, null));
    return NativeFailures.of(e, "write to", directory);
  }

  @Test
  void eachKindSaysWhatWasTriedAndWhatToDo() {
    assertThat(of(Status.Code.IOError, Status.SubCode.NoSpace))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("make space");
    assertThat(of(Status.Code.Corruption, Status.SubCode.None))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("restore");
    assertThat(of(Status.Code.IOError, Status.SubCode.None))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("Could not write to the store at " + directory + ": it broke.")
        .hasRootCauseMessage("it broke");
    assertThat(
            NativeFailures.of(
                new RocksDBException("No space left on device"), "write to", directory))
        .isInstanceOf(StoreFullException.class);
    assertThat(of(Status.Code.ShutdownInProgress, Status.SubCode.None))
        .isInstanceOf(StoreFullException.class);
    assertThat(NativeFailures.of(new RocksDBException("unheard of"), "write to", directory))
        .isInstanceOf(StoreIoException.class);
  }

  @Test
  void whatCouldNotBeForcedIsToldFromWhatWasNotTaken() {
    for (String message :
        List.of(
            "While fdatasync: /a/1.log: ?",
            "While fsync: a directory: ?",
            "while fcntl(F_FULLFSYNC): /a: ?")) {
      assertThat(NativeFailures.isUnforced(new RocksDBException(message))).as(message).isTrue();
    }
    for (String message :
        List.of(
            "While appending to file: /sync/1.log: ?",
            "While open a file for appending: /fsync: ?",
            "")) {
      assertThat(NativeFailures.isUnforced(new RocksDBException(message))).as(message).isFalse();
    }
  }

  @Test
  void aFlippedByteIsCorruptionWhenItIsRead() throws Exception {
    byte[] row = {1};
    try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults())) {
      Space space = engine.create(new SpaceSpec("rows", Layout.ROWS, Map.of()));
      Random random = new Random(1);
      for (int i = 0; i < RECORDS; i++) {
        byte[] value = new byte[100];
        random.nextBytes(value);
        space.put(row, key(i), value, Expiry.NEVER);
      }
      Database database = EngineInternals.of(engine).database();
      try (FlushOptions flush = new FlushOptions()) {
        database.nativeDatabase().flush(flush, database.handle(ColumnFamily.ROWS));
      }
    }
    flipInTheLargestFile();
    try (RocksDbEngine engine = RocksDbEngine.open(directory, RocksDbOptions.defaults())) {
      Space space = engine.open("rows");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < RECORDS; i++) {
                  assertThat(space.get(row, key(i))).isNotNull();
                }
              })
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("read from");
      assertThatThrownBy(
              () -> {
                try (var cursor = space.scanAll(null)) {
                  while (cursor.next()) {
                    cursor.value();
                  }
                }
              })
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("scan");
    }
  }

  private void flipInTheLargestFile() throws IOException {
    Path largest = directory;
    try (Stream<Path> files = Files.list(directory.resolve("db"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
        largest =
            largest.equals(directory) || Files.size(file) > Files.size(largest) ? file : largest;
      }
    }
    byte[] bytes = Files.readAllBytes(largest);
    bytes[bytes.length / 3] ^= 1;
    Files.write(largest, bytes);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}

package io.rockpool.internal.encryption;

import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.engine.rocksdb.RocksDbEngine;
import io.rockpool.engine.rocksdb.RocksDbOptions;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

/** Encryption over the embedded engine. */
@Slow
final class EncryptedRocksDbEngineTest extends EngineContract {
  @TempDir Path directory;

  @Override
  protected Engine openEngine(InstantSource clock) {
    RocksDbOptions options = RocksDbOptions.builder().clock(clock).build();
    return EncryptedEngine.over(
        RocksDbEngine.open(directory.resolve("store"), options),
        TestKeys.all(),
        /* readOnly= */ false);
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return openEngine(clock);
  }
}

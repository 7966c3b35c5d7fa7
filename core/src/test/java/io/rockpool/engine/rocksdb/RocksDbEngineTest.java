package io.rockpool.engine.rocksdb;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

@Slow
final class RocksDbEngineTest extends EngineContract {
  @TempDir Path directory;

  @Override
  protected Engine openEngine(InstantSource clock) {
    return RocksDbEngine.open(
        directory.resolve("store"), RocksDbOptions.builder().clock(clock).build());
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return openEngine(clock);
  }
}

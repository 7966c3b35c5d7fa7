package io.rockpool.structure;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentTableModelTest {
  private static final int STEPS_ON_DISK = 200;
  private static final int STEPS_IN_MEMORY = 1_000;

  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @EnumSource
  void doesWhatMapsOfMapsDo(Kind kind) {
    ModelCheck.run(
        () -> new TableWorld(new StoreUnderTest(kind, directory.resolve("world-" + worlds++))),
        kind == Kind.ROCKSDB ? STEPS_ON_DISK : STEPS_IN_MEMORY);
  }
}

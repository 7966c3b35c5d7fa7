package io.rockpool.structure;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Slow
@Tag("encrypted")
class DequeModelTest {
  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @CsvSource({
    "MEMORY, 0, 1500", "MEMORY, 10, 1500",
    "ADVERSARIAL, 0, 1500", "ADVERSARIAL, 10, 1500",
    "ROCKSDB, 0, 500", "ROCKSDB, 10, 500"
  })
  void doesWhatAListDoes(Kind kind, int capacity, int steps) {
    ModelCheck.run(() -> world(kind, capacity), steps);
  }

  private ModelCheck.World world(Kind kind, int capacity) {
    return new DequeWorld(
        new StoreUnderTest(kind, directory.resolve("world-" + worlds++)), capacity);
  }
}

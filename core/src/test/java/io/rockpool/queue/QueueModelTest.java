package io.rockpool.queue;

import io.rockpool.structure.StoreUnderTest;
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
class QueueModelTest {
  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @CsvSource({"MEMORY, 1500", "ADVERSARIAL, 1500", "ROCKSDB, 700"})
  void doesWhatItsModelDoes(Kind kind, int steps) {
    ModelCheck.run(
        () -> new QueueWorld(new StoreUnderTest(kind, directory.resolve("w" + worlds++)), kind),
        steps);
  }
}

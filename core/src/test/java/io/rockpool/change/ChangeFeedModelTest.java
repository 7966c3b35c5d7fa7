package io.rockpool.change;

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
class ChangeFeedModelTest {
  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @CsvSource({"MEMORY, 150", "ADVERSARIAL, 100", "ROCKSDB, 60"})
  void theReplayIsWhatTheNameHolds(Kind kind, int steps) {
    ModelCheck.run(
        () -> new FeedWorld(new StoreUnderTest(kind, directory.resolve("w" + worlds++))), steps);
  }
}

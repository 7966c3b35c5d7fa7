package io.rockpool.testing.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last lines of a run. */
final class MissingToolsTest {
  @TempDir Path directory;

  @Test
  void theTestsOfAllProcessesAreAdded() throws Exception {
    Files.writeString(directory.resolve("1.txt"), "STRACE 3\nREDIS 1\n");
    Files.writeString(directory.resolve("2.txt"), "STRACE 4\n");
    Map<Tool, Integer> counts = MissingTools.counted(directory);
    assertThat(counts).isEqualTo(Map.of(Tool.REDIS, 1, Tool.STRACE, 7));
    assertThat(MissingTools.summary(counts))
        .contains("     1  redis-server. To run them: apt-get install redis-server\n")
        .contains("     7  strace, which may trace. To run them: apt-get install strace\n");
  }

  @Test
  void nothingIsSaidIfNoTestWasSkipped() throws Exception {
    assertThat(MissingTools.summary(MissingTools.counted(directory.resolve("absent")))).isEmpty();
  }
}

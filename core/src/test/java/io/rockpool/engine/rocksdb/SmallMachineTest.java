package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.ControlGroup;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store works where the kernel bounds the memory or the processors of its process. {@code
 * -Drockpool.test.entries=1000000} takes minutes.
 */
@Slow
@Timeout(900)
@Needs(Tool.CONTROL_GROUPS)
final class SmallMachineTest {
  private static final Logger LOG = LoggerFactory.getLogger(SmallMachineTest.class);
  private static final int ENTRIES = Integer.getInteger("rockpool.test.entries", 150_000);

  /** With a quarter of a processor, so much work is done in seconds. */
  private static final int FEW = ENTRIES / 50;

  private static final int MIB = 1 << 20;

  @TempDir Path directory;

  private List<String> run(ControlGroup group, int entries, String heap) throws Exception {
    try (group;
        Child child =
            Child.startUnder(
                group.program(), SmallMachine.class, List.of(heap), directory, entries)) {
      List<String> said = child.readAll();
      assertThat(child.waitFor()).as("%s", said).isZero();
      LOG.info("{}: {}", heap, said);
      return said;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {384, 512, 1_024})
  void theResidentSetStaysBelowTheLimit(int mebibytes) throws Exception {
    ControlGroup group = ControlGroup.make((long) mebibytes * MIB, 0);
    List<String> said = run(group, ENTRIES, "-Xmx" + mebibytes / 2 + "m");
    long peakKib = Long.parseLong(said.get(said.size() - 1).replaceAll("\\D", ""));
    assertThat(peakKib / 1_024).as("MiB").isBetween(50L, mebibytes - 1L);
  }

  @Test
  void aQuarterOfAProcessorIsEnough() throws Exception {
    List<String> said = run(ControlGroup.make(0, 0.25), FEW, "-Xmx256m");
    assertThat(said).hasSize(5);
  }
}

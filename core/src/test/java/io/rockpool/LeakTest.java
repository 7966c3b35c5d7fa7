package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.OpeningAndClosing.Taken;
import io.rockpool.testing.Child;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opening and closing a store and what is in it many times takes no more memory, threads and files
 * than a few times. {@code -Drockpool.test.openings} says how often.
 */
@Slow
final class LeakTest {
  private static final int OPENINGS = Integer.getInteger("rockpool.test.openings", 60);

  /** By then the classes are loaded and the allocator has what it needs. */
  private static final int WARM = 2;

  /**
   * What an allocator keeps; a leak of one cache, log buffer or memory table an opening would be
   * past it many times over.
   */
  private static final long MAX_GROWTH_KIB = 48 << 10;

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatIsTakenStaysFlat() throws Exception {
    List<Taken> taken = run();
    Taken before = taken.get(WARM);
    Taken after = taken.get(taken.size() - 1);
    assertThat(after.residentKib() - before.residentKib())
        .as("growth in KiB: %s", taken)
        .isLessThan(MAX_GROWTH_KIB);
    assertThat(after.threads()).as("threads: %s", taken).isLessThanOrEqualTo(before.threads() + 2);
    assertThat(after.files()).as("open files: %s", taken).isLessThanOrEqualTo(before.files() + 2);
  }

  private List<Taken> run() throws IOException, InterruptedException {
    List<Taken> taken = new ArrayList<>();
    List<String> options = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    try (Child child = Child.start(OpeningAndClosing.class, options, directory, OPENINGS)) {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        taken.add(Taken.of(line));
      }
      assertThat(child.waitFor()).as("exit").isZero();
    }
    return taken;
  }
}

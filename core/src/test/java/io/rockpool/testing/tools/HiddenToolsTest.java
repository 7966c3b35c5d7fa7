package io.rockpool.testing.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import org.junit.jupiter.api.Test;

/** Without a tool, the tests that need it are skipped, and none fails. */
@Slow
final class HiddenToolsTest {
  @Test
  void whatNeedsAToolIsSkippedWithoutIt() throws Exception {
    assertThat(HiddenTools.check(getClass(), "MissingToolsTest")).isGreaterThanOrEqualTo(15);
  }
}

package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.tools.HiddenTools;
import org.junit.jupiter.api.Test;

/** Without a tool, the tests that need it are skipped, and none fails. */
final class HiddenToolsOfBootTest {
  @Test
  void whatNeedsAToolIsSkippedWithoutIt() throws Exception {
    assertThat(HiddenTools.check(getClass())).isGreaterThanOrEqualTo(3);
  }
}

package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.HiddenTools;
import org.junit.jupiter.api.Test;

/** Without a tool, the tests that need it are skipped, and none fails. */
@Slow
final class HiddenRedisTest {
  @Test
  void whatNeedsAToolIsSkippedWithoutIt() throws Exception {
    assertThat(HiddenTools.check(getClass())).isGreaterThanOrEqualTo(35);
  }
}

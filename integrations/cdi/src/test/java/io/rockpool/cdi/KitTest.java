package io.rockpool.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsr107.tck.annotation.InterceptionCacheNameOnEachMethodTest;
import org.jsr107.tck.annotation.InterceptionUsingCacheConfigTest;
import org.jsr107.tck.annotation.InterceptionUsingDefaultCacheNameTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/** The tests of annotations in the compatibility kit of JSR-107, on beans of Weld. */
final class KitTest {
  @AfterAll
  static void close() {
    KitBeans.close();
  }

  @Test
  void theKitsTestsPass() {
    Result result =
        JUnitCore.runClasses(
            InterceptionCacheNameOnEachMethodTest.class,
            InterceptionUsingCacheConfigTest.class,
            InterceptionUsingDefaultCacheNameTest.class);
    assertThat(result.getFailures()).isEmpty();
    assertThat(result.getRunCount()).isEqualTo(12);
    assertThat(result.getIgnoreCount()).isZero();
    // Without beans, the kit says that its tests have passed.
    assertThat(KitBeans.caches()).contains("blogManager", "blgMngr");
  }
}

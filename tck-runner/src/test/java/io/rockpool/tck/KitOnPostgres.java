package io.rockpool.tck;

import org.junit.Test;

/** Whether all of the kit has run on PostgreSQL; the profile "postgresql" runs it after the kit. */
public class KitOnPostgres {
  @Test
  public void allOfTheKitHasRunOnPostgres() throws Exception {
    KitIsCompleteTest.assertComplete("on-postgresql", KitIsCompleteTest.TESTS);
  }
}

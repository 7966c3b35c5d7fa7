package io.rockpool.hibernate;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class HibernateApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-hibernate", RockpoolRegionFactory.class);
  }
}

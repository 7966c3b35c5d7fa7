package io.rockpool.spring;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class SpringApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-spring", RockpoolCacheManager.class);
  }
}

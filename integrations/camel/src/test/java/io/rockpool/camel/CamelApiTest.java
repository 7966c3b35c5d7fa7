package io.rockpool.camel;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class CamelApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-camel", RockpoolIdempotentRepository.class);
  }
}

package io.rockpool.spring.session;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class SpringSessionApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-spring-session", RockpoolIndexedSessionRepository.class);
  }
}

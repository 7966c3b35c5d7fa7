package io.rockpool.spring.ai;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class SpringAiApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-spring-ai", RockpoolChatMemoryRepository.class);
  }
}

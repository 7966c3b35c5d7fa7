package io.rockpool.langchain4j;

import io.rockpool.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module is the one that is checked in. */
final class LangChain4jApiTest {
  @Test
  void thePublicApiIsTheOneListed() throws Exception {
    PublicApi.check("rockpool-langchain4j", RockpoolChatMemoryStore.class);
  }
}

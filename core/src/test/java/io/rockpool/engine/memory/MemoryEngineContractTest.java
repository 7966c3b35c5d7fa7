package io.rockpool.engine.memory;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import java.time.InstantSource;

final class MemoryEngineContractTest extends EngineContract {
  @Override
  protected Engine openEngine(InstantSource clock) {
    return MemoryEngine.builder().clock(clock).build();
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return ((MemoryEngine) closed).reopen();
  }
}

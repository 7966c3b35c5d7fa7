package io.rockpool.engine.memory;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.testing.Slow;
import java.time.InstantSource;

@Slow
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

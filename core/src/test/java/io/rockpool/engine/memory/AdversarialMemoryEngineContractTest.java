package io.rockpool.engine.memory;

import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.testing.Slow;
import java.time.InstantSource;

/** The contract leaves an engine as much freedom as the adversary takes. */
@Slow
final class AdversarialMemoryEngineContractTest extends EngineContract {
  @Override
  protected Engine openEngine(InstantSource clock) {
    return MemoryEngine.builder().clock(clock).adversary(1).shared().build();
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return ((MemoryEngine) closed).reopen();
  }

  @Override
  protected Engine openAnother(Engine engine) {
    return ((MemoryEngine) engine).openAnother();
  }
}

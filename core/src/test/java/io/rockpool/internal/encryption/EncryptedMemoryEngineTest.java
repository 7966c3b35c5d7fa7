package io.rockpool.internal.encryption;

import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Engine;
import io.rockpool.engine.EngineContract;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.Slow;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Encryption over a memory engine that may have several handles. */
@Slow
final class EncryptedMemoryEngineTest extends EngineContract {
  private @Nullable MemoryEngine memory;

  @Override
  protected Engine openEngine(InstantSource clock) {
    return over(MemoryEngine.builder().clock(clock).shared().build());
  }

  @Override
  protected Engine reopenEngine(Engine closed, InstantSource clock) {
    return over(memory.reopen());
  }

  @Override
  protected Engine openAnother(Engine engine) {
    return EncryptedEngine.over(memory.openAnother(), TestKeys.all(), /* readOnly= */ false);
  }

  private Engine over(MemoryEngine opened) {
    memory = opened;
    return EncryptedEngine.over(opened, TestKeys.all(), /* readOnly= */ false);
  }
}

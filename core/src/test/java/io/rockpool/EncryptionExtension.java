package io.rockpool;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * With {@code -Drockpool.test.encrypted=true}, encrypts every store that a test opens without an
 * encryption of its own. Registers itself for every test.
 */
public final class EncryptionExtension implements BeforeAllCallback {
  private static final boolean ENCRYPTED = Boolean.getBoolean("rockpool.test.encrypted");

  private static final Encryption ALL = TestKeys.all();

  /** Engines with an adversary compare the bytes of two runs, which are never the same. */
  private static boolean isStrict(Engine engine) {
    return engine instanceof MemoryEngine && engine.capabilities().contains(Capability.SHARED);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    boolean encrypts = ENCRYPTED && !EncryptionTest.class.equals(context.getRequiredTestClass());
    OpenStore.encryptionByDefault = engine -> encrypts && !isStrict(engine) ? ALL : null;
  }
}

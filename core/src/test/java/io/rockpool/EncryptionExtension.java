package io.rockpool;

import io.rockpool.encryption.TestKeys;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * With {@code -Drockpool.test.encrypted=true}, encrypts every store that a test opens without an
 * encryption of its own. Registers itself for every test.
 */
public final class EncryptionExtension implements BeforeAllCallback {
  private static final boolean ENCRYPTED = Boolean.getBoolean("rockpool.test.encrypted");

  @Override
  public void beforeAll(ExtensionContext context) {
    if (ENCRYPTED && !EncryptionTest.class.equals(context.getRequiredTestClass())) {
      OpenStore.encryptionByDefault = TestKeys.all();
    } else {
      OpenStore.encryptionByDefault = null;
    }
  }
}

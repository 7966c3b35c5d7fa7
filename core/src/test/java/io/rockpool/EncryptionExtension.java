package io.rockpool;

import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.TestKeys;
import io.rockpool.engine.Capability;
import io.rockpool.engine.Engine;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.internal.encryption.HidingWherePossible;
import io.rockpool.testing.NotEncrypted;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * With {@code -Drockpool.test.encrypted=true}, encrypts every store that a test opens without an
 * encryption of its own, also in its processes. {@code -Drockpool.test.hiddenKeys=true} encrypts
 * the keys, too, of names that are not sorted. Registers itself for every test; {@link
 * NotEncrypted} excuses one.
 */
public final class EncryptionExtension implements BeforeAllCallback, BeforeEachCallback {
  private static final boolean ENCRYPTED = Boolean.getBoolean("rockpool.test.encrypted");

  /** Whether keys are encrypted, too, where a structure allows it. */
  private static final boolean HIDDEN = Boolean.getBoolean("rockpool.test.hiddenKeys");

  private static final Encryption ALL = TestKeys.all();
  private static final Encryption ALL_WITH_KEYS = ALL.hidingKeys("");

  private static boolean encrypts;
  private static boolean hides;

  /** Engines with an adversary compare the bytes of two runs, which are never the same. */
  private static boolean isStrict(Engine engine) {
    return engine instanceof MemoryEngine && engine.capabilities().contains(Capability.SHARED);
  }

  private static @Nullable Encryption byDefault(Engine engine) {
    if (!encrypts || isStrict(engine)) {
      return null;
    }
    return hides ? ALL_WITH_KEYS : ALL;
  }

  private static void set(boolean encrypted, boolean hidden) {
    encrypts = encrypted;
    hides = hidden;
    HidingWherePossible.set(encrypted && hidden);
    SharedStores.encryptionByDefault = EncryptionExtension::byDefault;
  }

  /** The part of a command in front of a main class, so that its stores are encrypted, too. */
  public static List<String> before() {
    return encrypts
        ? List.of(EncryptionExtension.class.getName(), String.valueOf(hides))
        : List.of();
  }

  /**
   * Runs another main class whose stores are encrypted.
   *
   * @param arguments whether keys are encrypted, the name of the class, and its arguments
   */
  public static void main(String[] arguments) throws Throwable {
    set(true, Boolean.parseBoolean(arguments[0]));
    Method main = Class.forName(arguments[1]).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    set(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    set(context);
  }

  private static void set(ExtensionContext context) {
    set(
        ENCRYPTED
            && !isExcused(context.getRequiredTestClass())
            && context.getTestMethod().stream().noneMatch(EncryptionExtension::isExcused),
        HIDDEN);
  }

  private static boolean isExcused(AnnotatedElement test) {
    return test.isAnnotationPresent(NotEncrypted.class);
  }
}

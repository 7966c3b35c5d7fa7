package io.rockpool.testing;

import io.rockpool.internal.concurrent.HeldLocks;
import io.rockpool.internal.concurrent.OrderedLock;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails the test during which a lock was waited for out of order, on any thread: it throws where it
 * happens, but a thread of the library's may have logged it, and a test may have expected something
 * to be thrown. Fails the test, too, that leaves its thread with a lock.
 */
public final class LockOrderExtension implements AfterEachCallback, AfterAllCallback {
  @Override
  public void afterEach(ExtensionContext context) {
    failIfAny();
  }

  /** What happened since the last test, as in closing what they share. */
  @Override
  public void afterAll(ExtensionContext context) {
    failIfAny();
  }

  private static void failIfAny() {
    List<AssertionError> violations = HeldLocks.takeViolations();
    List<OrderedLock> left = HeldLocks.forget();
    if (!left.isEmpty()) {
      violations.add(new AssertionError("This thread was left with the locks " + left + "."));
    }
    if (!violations.isEmpty()) {
      AssertionError first = violations.get(0);
      violations.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }
}

package io.rockpool.testing.tools;

import org.opentest4j.TestAbortedException;

/** Apart, because a sample that runs without JUnit uses {@link Tool}. */
final class Skip {
  private Skip() {}

  static RuntimeException because(String reason) {
    return new TestAbortedException(reason);
  }
}

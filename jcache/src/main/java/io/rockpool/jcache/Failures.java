package io.rockpool.jcache;

import org.jspecify.annotations.Nullable;

/** What failed of several things that are done whatever becomes of the others. */
final class Failures {
  private @Nullable RuntimeException first;

  /** Does one of the things. */
  void tryTo(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      add(e);
    }
  }

  void add(RuntimeException failure) {
    if (first == null) {
      first = failure;
    } else if (first != failure) {
      first.addSuppressed(failure);
    }
  }

  /** Throws the first failure, if there was any, with the others suppressed in it. */
  void throwFirst() {
    if (first != null) {
      throw first;
    }
  }
}

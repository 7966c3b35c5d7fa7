package io.rockpool.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Steps that are all taken, whatever one of them throws, as in closing. {@link #end} throws the
 * first exception, with the others suppressed. Not thread-safe.
 */
public final class EveryStep {
  private @Nullable Throwable failure;

  /** No step taken yet. */
  public EveryStep() {}

  /** Takes a step. */
  public EveryStep take(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      if (failure == null) {
        failure = e;
      } else if (failure != e) {
        failure.addSuppressed(e);
      }
    }
    return this;
  }

  /** Throws what the steps have thrown, if anything. */
  public void end() {
    if (failure != null) {
      throw EveryStep.<RuntimeException>unchecked(failure);
    }
  }

  /** Adds what the steps have thrown to the exception for which they were taken. */
  public void addTo(Throwable cause) {
    if (failure != null && failure != cause) {
      cause.addSuppressed(failure);
    }
  }

  /** A runnable throws nothing that must be declared. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException unchecked(Throwable failure) throws E {
    throw (E) failure;
  }
}

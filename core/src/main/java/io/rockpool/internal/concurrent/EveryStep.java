package io.rockpool.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Runs all steps even if some throw, for example when closing. {@link #end} throws the first
 * exception, with the later ones suppressed. Not thread-safe.
 */
public final class EveryStep {
  private @Nullable Throwable failure;

  /** Starts without a step. */
  public EveryStep() {}

  /** Runs a step now and keeps its exception. */
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

  /** Throws the first exception of the steps, if any. */
  public void end() {
    if (failure != null) {
      throw EveryStep.<RuntimeException>unchecked(failure);
    }
  }

  /** Adds the exceptions of the steps to {@code cause} as suppressed. */
  public void addTo(Throwable cause) {
    if (failure != null && failure != cause) {
      cause.addSuppressed(failure);
    }
  }

  /** Rethrows without declaring; a {@link Runnable} throws nothing checked. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException unchecked(Throwable failure) throws E {
    throw (E) failure;
  }
}

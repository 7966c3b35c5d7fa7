package io.rockpool.internal.access;

/** A load that a layer makes itself. In a transaction it is known until that has ended. */
public interface RunningLoad extends AutoCloseable {
  /** Ends the load. */
  @Override
  void close();
}

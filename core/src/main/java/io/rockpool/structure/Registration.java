package io.rockpool.structure;

/** The registration of a listener with a structure. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Ends the registration: later changes are not reported. A second call does nothing. */
  @Override
  void close();
}

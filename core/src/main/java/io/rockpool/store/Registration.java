package io.rockpool.store;

/** The registration of a listener with a structure or a cache. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Ends the registration: later changes are not reported. A second call does nothing. */
  @Override
  void close();
}

package io.rockpool.internal.engine;

/** Copies of stored data in memory, within a bound that can change. Thread-safe. */
public interface HeapUser {
  /** Changes the bound in bytes. If it shrinks, evicts the excess before returning. */
  void resize(long maxBytes);

  /** The bytes that its content takes, with all that was put before the call. */
  long bytes();
}

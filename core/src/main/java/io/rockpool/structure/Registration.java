package io.rockpool.structure;

/** A listener's place with a structure. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Ends it: changes made from now on are not told any more. A second call does nothing. */
  @Override
  void close();
}

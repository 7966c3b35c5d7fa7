package io.rockpool.engine;

/** Opens an engine for a store, with the options of its builder. */
@FunctionalInterface
public interface EngineFactory {
  /**
   * Opens an engine that no other store uses. The store closes it.
   *
   * @param options what the builder of the store says
   * @return the open engine
   */
  Engine open(EngineOptions options);
}

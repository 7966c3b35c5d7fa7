package io.rockpool.internal.access;

import io.rockpool.codec.Codecs;
import io.rockpool.engine.Engine;

/** An open store, as the modules above it use it. */
public interface StoreAccess {
  /** The engine below. */
  Engine engine();

  /** The store's caches. */
  StoreCaches caches();

  /**
   * Codecs that learn classes in this store, like the store's own codecs; see {@link
   * Codecs#learningIn}.
   *
   * @param codecs the codecs to start from
   */
  Codecs learning(Codecs codecs);
}

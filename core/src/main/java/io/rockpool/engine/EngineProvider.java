package io.rockpool.engine;

import io.rockpool.error.ServerUnavailableException;
import java.net.URI;
import java.util.Set;

/**
 * Opens engines by URI. A module of an engine has one; it is found with a {@link
 * java.util.ServiceLoader}, so the engine's artifact on the class path is all it needs.
 */
public interface EngineProvider {
  /**
   * Returns the schemes of the URIs that this provider opens.
   *
   * @return the schemes, in lower case
   */
  Set<String> schemes();

  /**
   * Opens an engine that no other store uses. The store closes it.
   *
   * @param uri names the server and the data there; its scheme is one of {@link #schemes}. Messages
   *     must not show its password
   * @param options what the builder of the store says
   * @return the open engine
   * @throws IllegalArgumentException if the URI or a property is wrong; the message says how
   * @throws ServerUnavailableException if the server cannot be reached
   */
  Engine open(URI uri, EngineOptions options);
}

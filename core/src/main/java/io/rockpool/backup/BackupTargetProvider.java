package io.rockpool.backup;

import java.net.URI;
import java.util.Set;

/**
 * Opens backup targets by URI. A module of a target has one; it is found with a {@link
 * java.util.ServiceLoader}, so the module's artifact on the class path is all it needs.
 */
public interface BackupTargetProvider {
  /**
   * Returns the schemes of the URIs that this provider opens.
   *
   * @return the schemes, in lower case
   */
  Set<String> schemes();

  /**
   * Returns the target at a URI. Does not connect to it.
   *
   * @param uri its scheme is one of {@link #schemes}
   * @throws IllegalArgumentException if the URI is wrong; the message says how
   */
  BackupTarget open(URI uri);
}

/**
 * Caches on Redis or Valkey. Several processes share them; each keeps its hot tier coherent by
 * client-side tracking.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.redis;

import org.jspecify.annotations.NullMarked;

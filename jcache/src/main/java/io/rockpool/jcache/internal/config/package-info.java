/** Reads and stores the configuration of managers and caches. No public API. */
@NullMarked
package io.rockpool.jcache.internal.config;

import org.jspecify.annotations.NullMarked;

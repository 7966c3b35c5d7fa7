/** An atlas of the running JDK, drawn once and then read from a cache. */
@NullMarked
package io.rockpool.sample.atlas;

import org.jspecify.annotations.NullMarked;

/** A web service over what the JDK knows of the world, cached in Rockpool by Spring. */
@NullMarked
package io.rockpool.sample.world;

import org.jspecify.annotations.NullMarked;

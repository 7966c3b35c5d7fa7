/**
 * The engine contract: what a store must offer so that caches and collections run on any of them.
 *
 * <p>The data model is a table of <i>rows</i>, as in Apache Pegasus. A {@link
 * io.rockpool.engine.Space space} is everything under one name. In a space, a <i>hash key</i> names
 * a row. A row holds <i>records</i>, sort key to value, sorted by sort key as unsigned bytes. The
 * row is the unit of atomicity and of placement. Any record may have an expiry.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.engine;

import org.jspecify.annotations.NullMarked;

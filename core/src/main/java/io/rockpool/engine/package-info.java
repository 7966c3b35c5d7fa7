/**
 * The engine contract: what a store must offer so that caches and collections can be written once
 * and run on any of them.
 *
 * <p>The data model is a table of <i>rows</i>, as in Apache Pegasus: a {@link
 * io.rockpool.engine.Space space} is everything under one name; in it a <i>hash key</i> names a
 * row, and a row holds <i>records</i>, sort key to value, sorted by sort key as unsigned bytes. The
 * row is the unit of atomicity and of placement. Any record may carry an expiry.
 */
@NullMarked
package io.rockpool.engine;

import org.jspecify.annotations.NullMarked;

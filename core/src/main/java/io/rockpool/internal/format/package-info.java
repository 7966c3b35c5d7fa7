/**
 * Every byte an embedded store keeps: one class for each key and record layout, whose javadoc is
 * its specification.
 *
 * <p>Numbers are big-endian and fixed in width unless a class says otherwise, so that byte order is
 * numeric order. {@code docs/FORMAT.md} repeats each layout with examples in literal bytes, and a
 * test executes them against these classes.
 */
@NullMarked
package io.rockpool.internal.format;

import org.jspecify.annotations.NullMarked;

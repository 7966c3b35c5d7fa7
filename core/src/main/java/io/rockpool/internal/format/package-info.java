/**
 * Every byte that an embedded store keeps: one class per key and record layout, whose javadoc is
 * its specification.
 *
 * <p>Numbers are big-endian with a fixed width unless a class says otherwise, so that byte order is
 * numeric order. {@code docs/FORMAT.md} repeats each layout with examples in literal bytes, and a
 * test checks them against these classes.
 */
@NullMarked
package io.rockpool.internal.format;

import org.jspecify.annotations.NullMarked;

/** Locks with one order, and steps that run even if others fail. */
@NullMarked
package io.rockpool.internal.concurrent;

import org.jspecify.annotations.NullMarked;

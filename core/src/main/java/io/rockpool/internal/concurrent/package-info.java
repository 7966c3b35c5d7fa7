/** Locks that are taken in one order, and steps that are all taken. */
@NullMarked
package io.rockpool.internal.concurrent;

import org.jspecify.annotations.NullMarked;

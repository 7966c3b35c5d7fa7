/** Rockpool against the libraries it stands on, in the same run and on the same bytes. */
@NullMarked
package io.rockpool.benchmark;

import org.jspecify.annotations.NullMarked;

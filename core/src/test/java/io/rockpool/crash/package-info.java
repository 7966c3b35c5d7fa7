/** What survives the death of a process, and of a machine. */
@NullMarked
package io.rockpool.crash;

import org.jspecify.annotations.NullMarked;

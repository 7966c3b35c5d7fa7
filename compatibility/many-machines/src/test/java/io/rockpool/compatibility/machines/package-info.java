/**
 * Several processes on one server, faults in the middle of their work, and checks of the result.
 */
@NullMarked
package io.rockpool.compatibility.machines;

import org.jspecify.annotations.NullMarked;

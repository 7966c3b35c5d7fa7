/** How logs and messages of this module name loggers and keys. */
@NullMarked
package io.rockpool.internal.logging;

import org.jspecify.annotations.NullMarked;

/** The names under which this module logs. */
@NullMarked
package io.rockpool.internal.logging;

import org.jspecify.annotations.NullMarked;

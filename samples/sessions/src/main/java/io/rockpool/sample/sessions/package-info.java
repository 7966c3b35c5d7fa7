/** Sessions of users that survive restarts, and end when they are not used for a while. */
@NullMarked
package io.rockpool.sample.sessions;

import org.jspecify.annotations.NullMarked;

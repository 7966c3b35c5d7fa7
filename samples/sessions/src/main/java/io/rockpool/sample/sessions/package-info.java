/** Sessions of users that survive restarts, and end when nobody asks for them for a while. */
@NullMarked
package io.rockpool.sample.sessions;

import org.jspecify.annotations.NullMarked;

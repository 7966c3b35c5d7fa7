/**
 * Sessions of Spring Session on Rockpool: begin at {@link
 * io.rockpool.spring.session.RockpoolIndexedSessionRepository}.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring.session;

import org.jspecify.annotations.NullMarked;

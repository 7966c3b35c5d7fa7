/**
 * Auto-configuration of {@link io.rockpool.spring.session.RockpoolIndexedSessionRepository} for
 * Spring Boot.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.spring.session.boot;

import org.jspecify.annotations.NullMarked;

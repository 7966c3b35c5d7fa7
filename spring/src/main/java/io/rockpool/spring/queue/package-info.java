/**
 * Methods of beans that handle the messages of queues.
 *
 * <p>Start at {@link io.rockpool.spring.queue.RockpoolListener}.
 */
@NullMarked
package io.rockpool.spring.queue;

import org.jspecify.annotations.NullMarked;

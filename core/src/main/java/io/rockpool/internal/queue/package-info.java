/**
 * Queues with acknowledgement, on the rows of an engine.
 *
 * <p>Start at {@link io.rockpool.internal.queue.Queues}; {@link
 * io.rockpool.internal.queue.QueueRow} is the state machine of a message.
 */
@NullMarked
package io.rockpool.internal.queue;

import org.jspecify.annotations.NullMarked;

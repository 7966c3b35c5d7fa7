/**
 * Queues with acknowledgement: messages are delivered at least once, to one consumer at a time.
 *
 * <p>Start at {@link io.rockpool.queue.PersistentQueue}.
 */
@NullMarked
package io.rockpool.queue;

import org.jspecify.annotations.NullMarked;

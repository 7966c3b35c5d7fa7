package io.rockpool.queue;

import java.time.Duration;

/**
 * Numbers about a queue. The counts of what happened start with 0 when the queue is opened.
 *
 * @param depth messages that are ready or delayed. May include messages that have outlived their
 *     time to live, until they are swept
 * @param inFlight messages that a consumer has
 * @param oldestAge how long ago the oldest message was sent that is ready at the head of a
 *     priority; zero if none is
 * @param sent messages that were sent
 * @param delivered deliveries
 * @param redelivered deliveries of messages that had been delivered before
 * @param acknowledged messages that were acknowledged
 * @param dead messages that were given up
 * @param paused whether nothing is delivered
 */
public record QueueStatistics(
    long depth,
    long inFlight,
    Duration oldestAge,
    long sent,
    long delivered,
    long redelivered,
    long acknowledged,
    long dead,
    boolean paused) {}

package io.rockpool.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * Why and when a queue gave up a message.
 *
 * @param queue the name of the queue
 * @param id the id of the message there
 * @param cause why its last delivery failed; empty if its lease ended without an answer
 * @param deliveries how often it was delivered
 * @param firstDelivered when it was first delivered
 * @param died when it was given up
 * @param priority its priority in the queue
 * @param group its group in the queue
 */
public record DeadLetter(
    String queue,
    long id,
    String cause,
    int deliveries,
    Instant firstDelivered,
    Instant died,
    int priority,
    Optional<String> group) {}

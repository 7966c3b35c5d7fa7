package io.rockpool.spring.queue;

import io.rockpool.queue.QueueOptions;
import java.time.Duration;
import java.util.Map;

/**
 * What all listeners share.
 *
 * @param autoStartup whether they start with the application
 * @param concurrency the number of threads of a listener that sets none
 * @param virtualThreads whether the threads are virtual
 * @param maxExtension for how long leases are extended while a method runs
 * @param shutdownTimeout how long stopping waits for running methods
 * @param queues the options of queues, by name
 */
public record ListenerOptions(
    boolean autoStartup,
    int concurrency,
    boolean virtualThreads,
    Duration maxExtension,
    Duration shutdownTimeout,
    Map<String, QueueOptions> queues) {}

package io.rockpool.engine;

/**
 * How far {@link Engine#verify} is.
 *
 * @param part what it is looking at: {@code files}, or a kind of records
 * @param done how many of these it has looked at
 * @param expected how many there are, about
 */
public record VerifyProgress(String part, long done, long expected) {}

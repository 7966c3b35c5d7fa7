package io.rockpool.engine;

/**
 * The progress of {@link Engine#verify}.
 *
 * @param part what it is checking: {@code files}, or a kind of records
 * @param done how many of these it has checked
 * @param expected about how many there are
 */
public record VerifyProgress(String part, long done, long expected) {}

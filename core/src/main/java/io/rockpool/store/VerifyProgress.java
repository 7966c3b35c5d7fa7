package io.rockpool.store;

/**
 * The progress of {@code Engine.verify}.
 *
 * @param part what it is checking: {@code files}, or a kind of records
 * @param done how many of these it has checked
 * @param expected about how many there are
 */
public record VerifyProgress(String part, long done, long expected) {}

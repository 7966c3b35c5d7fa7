package io.rockpool.internal.rocksdb.natives;

/**
 * Why inserts are rejected.
 *
 * @param entriesToo whether inserts into caches are rejected too
 * @param reason a sentence that says what to do
 */
public record Refusal(boolean entriesToo, String reason) {}

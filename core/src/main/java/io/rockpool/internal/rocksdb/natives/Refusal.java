package io.rockpool.internal.rocksdb.natives;

/**
 * Why nothing may be added.
 *
 * @param entriesToo whether nothing may be added to caches either
 * @param reason a sentence, which says what to do
 */
public record Refusal(boolean entriesToo, String reason) {}

package io.rockpool.engine.rocksdb;

/**
 * Why nothing may be added.
 *
 * @param entriesToo whether nothing may be added to caches either
 * @param reason a sentence, which says what to do
 */
record Refusal(boolean entriesToo, String reason) {}

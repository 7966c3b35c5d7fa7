package io.rockpool.redis;

import io.rockpool.engine.RowRecord;
import org.jspecify.annotations.Nullable;

/**
 * A put or delete that reads nothing.
 *
 * @param key the key in Redis
 * @param record the record to put, or null to delete
 * @param writeId identifies a put in Redis
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EntryWrite(
    byte[] hashKey, byte[] key, int bucket, @Nullable RowRecord record, long writeId) {}

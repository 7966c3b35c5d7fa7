package io.rockpool.engine;

import org.jspecify.annotations.Nullable;

/**
 * What {@link Space#lease} found under a key.
 *
 * @param record the record, or null if there is none
 * @param lease the lease on the key; null if the engine gives none
 */
public record LeasedRead(@Nullable RowRecord record, @Nullable Lease lease) {}

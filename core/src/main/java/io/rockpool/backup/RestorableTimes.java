package io.rockpool.backup;

import java.time.Instant;

/**
 * Times to which a store can be restored: each moment from the first to the last.
 *
 * @param from the first moment
 * @param until the last moment; equal to {@code from} for a backup without a log after it
 */
public record RestorableTimes(Instant from, Instant until) {}

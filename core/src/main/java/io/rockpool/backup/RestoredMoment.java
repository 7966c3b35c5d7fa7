package io.rockpool.backup;

import java.time.Instant;

/**
 * What was restored for a point in time.
 *
 * @param moment the newest known moment that is not after that point; the store has the changes
 *     until then and no others
 * @param sequence the number of the last change
 * @param backup the backup to which the log was added
 */
public record RestoredMoment(Instant moment, long sequence, BackupInfo backup) {}

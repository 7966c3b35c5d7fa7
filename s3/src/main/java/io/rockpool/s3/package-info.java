/**
 * Backups in S3 and in object stores with its protocol.
 *
 * <p>{@link io.rockpool.s3.S3Target} is the target; {@code BackupTargets.at(URI)} finds it.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.s3;

import org.jspecify.annotations.NullMarked;

/**
 * Backups of a store: where they are kept, their options, and what is known about them.
 *
 * <p>{@code StoreBackups.make} makes one in a {@link io.rockpool.backup.BackupTarget}, such as a
 * {@link io.rockpool.backup.DirectoryTarget}, with {@link io.rockpool.backup.BackupOptions}, and
 * returns a {@link io.rockpool.backup.BackupInfo}. {@code StoreBackups.restore} makes a store of
 * it.
 *
 * @since 0.1
 */
@NullMarked
package io.rockpool.backup;

import org.jspecify.annotations.NullMarked;

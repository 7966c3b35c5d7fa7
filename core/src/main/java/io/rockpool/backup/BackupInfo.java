package io.rockpool.backup;

import java.time.Instant;
import java.util.List;

/**
 * A complete backup.
 *
 * @param number its number in the target; later backups have higher ones
 * @param created when it began, by the store's clock
 * @param store the store's directory
 * @param storeFormat the format of the store
 * @param sequence the number of the last change in it; a store counts its changes
 * @param files the number of its files
 * @param bytes the size of its files
 * @param addedBytes the size of those files that the target did not have before
 * @param names what the store held, sorted by name
 */
public record BackupInfo(
    long number,
    Instant created,
    String store,
    int storeFormat,
    long sequence,
    long files,
    long bytes,
    long addedBytes,
    List<BackedUpName> names) {
  /** Copies the names. */
  public BackupInfo {
    names = List.copyOf(names);
  }
}

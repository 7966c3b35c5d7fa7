package io.rockpool.backup;

/**
 * The progress of a backup or a restore.
 *
 * @param files how many files are done
 * @param allFiles how many there are
 * @param bytes how many bytes are done, with those that the target had already
 * @param allBytes how many there are
 */
public record BackupProgress(long files, long allFiles, long bytes, long allBytes) {}

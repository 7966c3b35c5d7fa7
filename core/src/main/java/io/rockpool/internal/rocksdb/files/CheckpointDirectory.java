package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of a store's files inside the store's directory, as of one moment. Its database files are
 * hard links, so it takes little space at first; later it keeps files that the store has deleted.
 * Closing deletes it; opening a store deletes what a killed process has left.
 */
public final class CheckpointDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** Files that a store may have. Those of the application are not copied. */
  private static final List<String> COPIED =
      List.of(
          StoreDirectory.CACHES_ONLY,
          StoreDirectory.CLASSES,
          StoreDirectory.VERIFIED_BACKUP,
          DamagedTables.NAME);

  private final Path store;
  private final Path directory;

  private CheckpointDirectory(Path store, Path directory) {
    this.store = store;
    this.directory = directory;
  }

  /** Begins a copy: an empty directory. */
  public static CheckpointDirectory create(StoreDirectory store) {
    try {
      Path parent = store.path().resolve(StoreDirectory.CHECKPOINTS);
      Files.createDirectories(parent, FileModes.directory(parent));
      return new CheckpointDirectory(
          store.path(), Files.createTempDirectory(parent, "", FileModes.directory(parent)));
    } catch (IOException e) {
      throw StoreDirectory.refused("make a checkpoint of", store.path(), e);
    }
  }

  /** The directory of the copy. */
  public Path path() {
    return directory;
  }

  /** The directory for RocksDB's files; it does not exist yet. */
  public Path database() {
    return directory.resolve(StoreDirectory.DATABASE);
  }

  /**
   * Adds the other files, after {@link #database} was written. In this order the list of classes
   * has those of all values, and {@code caches-only} is missing if there may be collections.
   *
   * @param sequence the last change in the copied database
   */
  public void complete(long sequence) {
    try {
      Files.copy(store.resolve(StoreDirectory.MARKER), directory.resolve(StoreDirectory.MARKER));
      for (String name : COPIED) {
        copyIfThere(name);
      }
      Files.write(
          directory.resolve(StoreDirectory.RECOVERY),
          new RecoveryPoint(true, sequence, 0, 0).encode());
    } catch (IOException e) {
      throw StoreDirectory.refused("make a checkpoint of", store, e);
    }
  }

  private void copyIfThere(String name) throws IOException {
    try {
      Files.copy(store.resolve(name), directory.resolve(name));
    } catch (NoSuchFileException e) {
      LOG.debug("The store in {} has no file {}.", store, name);
    }
  }

  /** Deletes the copies that killed processes have left. */
  public static void removeAll(StoreDirectory store) {
    Path all = store.path().resolve(StoreDirectory.CHECKPOINTS);
    if (Files.exists(all)) {
      remove(all);
    }
  }

  /** What cannot be deleted takes space and does no other harm. */
  private static void remove(Path directory) {
    try {
      DirectoryTree.delete(directory);
    } catch (IOException e) {
      LOG.warn("The checkpoint {} could not be removed; remove it by hand.", directory, e);
    }
  }

  @Override
  public void close() {
    remove(directory);
  }
}

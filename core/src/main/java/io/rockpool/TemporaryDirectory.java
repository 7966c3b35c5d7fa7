package io.rockpool;

import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.rocksdb.files.AbandonedDirectories;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.FileModes;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of temporary stores: below {@code java.io.tmpdir}, deleted when the store closes.
 * Creating one also deletes those of killed processes.
 */
final class TemporaryDirectory {
  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool");
  private static final String PREFIX = "rockpool-temporary-";

  /** The lock file of an open store. */
  static final String LOCK = "lock";

  /** A younger directory may belong to a process that has not locked it yet. */
  private static final Duration MIN_AGE = Duration.ofMinutes(1);

  private TemporaryDirectory() {}

  /** Where temporary directories are by default. */
  static Path parent() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Creates a directory that only this user can read. */
  static Path create(Path parent) {
    removeAbandoned(parent);
    try {
      Path created = Files.createTempDirectory(parent, own());
      Path marker = created.resolve(AbandonedDirectories.MARKER);
      Files.createFile(marker, FileModes.file(marker));
      return created;
    } catch (IOException e) {
      throw new StoreIoException(
          "A temporary store could not be created in "
              + parent
              + ": "
              + FileErrors.text(e)
              + ". Set -Djava.io.tmpdir to a directory that this user may write to.",
          parent,
          e);
    }
  }

  /** Works in a directory while no other process takes it for one of a killed process. */
  static void locked(Path directory, Runnable work) {
    try (DirectoryLock unused =
        DirectoryLock.take(DirectoryLock.Use.STORE, directory, directory.resolve(LOCK))) {
      work.run();
    } catch (IOException e) {
      throw StoreDirectory.refused("copy", directory, e);
    }
  }

  private static String own() {
    return PREFIX + ProcessHandle.current().pid() + "-";
  }

  /** Deletes the directories of this user that no process has open. */
  static void removeAbandoned(Path parent) {
    AbandonedDirectories.remove(
        parent,
        name -> name.startsWith(PREFIX) && !name.startsWith(own()),
        own(),
        InstantSource.system().instant().minus(MIN_AGE));
  }

  /** Deletes a directory and its content. */
  static void remove(Path directory) {
    try {
      DirectoryTree.delete(directory);
    } catch (IOException e) {
      LOG.warn("The temporary store {} could not be removed; remove it by hand.", directory, e);
    }
  }
}

package io.rockpool;

import io.rockpool.error.StoreIoException;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
      return Files.createTempDirectory(parent, own());
    } catch (IOException e) {
      throw new StoreIoException(
          "A temporary store could not be created in "
              + parent
              + ": "
              + e
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

  /** Deletes the directories that no process has open, if this user may. */
  static void removeAbandoned(Path parent) {
    Instant old = InstantSource.system().instant().minus(MIN_AGE);
    for (Path directory : candidates(parent)) {
      try {
        // Skip this process's own: closing a channel releases all locks of the process on that
        // file.
        if (!directory.getFileName().toString().startsWith(own())
            && Files.getLastModifiedTime(directory).toInstant().isBefore(old)) {
          removeUnlessLocked(directory);
        }
      } catch (IOException e) {
        LOG.debug("The temporary store {} stays where it is.", directory, e);
      }
    }
  }

  private static List<Path> candidates(Path parent) {
    List<Path> found = new ArrayList<>();
    if (Files.notExists(parent)) {
      return found;
    }
    try (var all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      all.forEach(found::add);
    } catch (IOException e) {
      LOG.debug("The directory {} cannot be listed.", parent, e);
    }
    return found;
  }

  private static void removeUnlessLocked(Path directory) throws IOException {
    Path file = directory.resolve(LOCK);
    if (!Files.exists(file)) {
      remove(directory);
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        remove(directory);
      }
    }
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

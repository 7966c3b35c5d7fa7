package io.rockpool.internal.backup;

import io.rockpool.backup.BackupTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Objects;

/** The objects of a target. Its errors are Rockpool's exceptions. */
final class TargetObjects {
  private final BackupTarget target;

  TargetObjects(BackupTarget target) {
    this.target = target;
  }

  /** A use of the target, or of a file of the store. */
  @FunctionalInterface
  interface Access<T> {
    T run() throws IOException;
  }

  /** Acquires {@link BackupTarget#BACKUPS} or {@link BackupTarget#LOG}. */
  Closeable lock(String name) {
    return access("use", () -> target.lock(name));
  }

  Map<String, Long> list(String folder) {
    return access("list", () -> target.list(folder));
  }

  void put(String name, long bytes, InputStream content) {
    access(
        "write to",
        () -> {
          target.put(name, bytes, content);
          return name;
        });
  }

  void delete(String name) {
    access(
        "delete from",
        () -> {
          target.delete(name);
          return name;
        });
  }

  /**
   * Reads an object.
   *
   * @throws CorruptStoreException if it is missing
   */
  InputStream get(String name) {
    return access(
        "read from",
        () -> {
          try {
            return target.get(name);
          } catch (NoSuchFileException | FileNotFoundException e) {
            throw damaged(name, "is missing: " + e.getMessage());
          }
        });
  }

  /** Releases a lock. */
  void unlock(Closeable lock) {
    access(
        "unlock",
        () -> {
          lock.close();
          return lock;
        });
  }

  /** Runs an {@code action} ("write to") with the target. */
  <T> T access(String action, Access<T> access) {
    try {
      return access.run();
    } catch (ClosedByInterruptException e) {
      throw Transfer.stopped(e);
    } catch (IOException e) {
      throw refused(action, e);
    } catch (UncheckedIOException e) {
      throw refused(action, Objects.requireNonNull(e.getCause()));
    }
  }

  private RockpoolException refused(String action, IOException e) {
    String what =
        "Could not " + action + " the backups in " + target + ": " + FileErrors.text(e) + ". ";
    return StoreDirectory.isNoSpace(e)
        ? new StoreFullException(
            what
                + "The disk is full, and no backup was added. Make space there, or keep fewer"
                + " backups; files that were copied are not copied again.",
            e)
        : new StoreIoException(
            what + "Look at that place, its permissions and the file system.", null, e);
  }

  /** The exception for an object that is damaged, as {@code what} ("is missing") says. */
  CorruptStoreException damaged(String name, String what) {
    return new CorruptStoreException(
        "The object "
            + name
            + " of the backups in "
            + target
            + " "
            + what
            + ". Backups that need it cannot be restored: use another one, and make a new one with"
            + " BackupOptions.recheck, which replaces what is damaged.",
        null,
        null);
  }

  @Override
  public String toString() {
    return target.toString();
  }
}

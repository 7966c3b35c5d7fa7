package io.rockpool;

import io.rockpool.backup.BackupTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A temporary directory for a restored store, deleted when this is closed. */
final class RestoredCopy implements AutoCloseable {
  private static final String STORE = "store";

  private final Path temporary;
  private final DirectoryLock lock;

  private RestoredCopy(Path temporary, DirectoryLock lock) {
    this.temporary = temporary;
    this.lock = lock;
  }

  /** Creates a directory, locked so that no other process takes it for one of a killed process. */
  static RestoredCopy create(Path scratch) {
    Path temporary = TemporaryDirectory.create(scratch);
    try {
      return new RestoredCopy(
          temporary,
          DirectoryLock.take(
              DirectoryLock.Use.STORE, temporary, temporary.resolve(TemporaryDirectory.LOCK)));
    } catch (IOException e) {
      TemporaryDirectory.remove(temporary);
      throw refused(temporary, e);
    }
  }

  /**
   * Opens a restored store, which is only read, and is deleted when it is closed.
   *
   * @param with changes the options of the store
   * @param restore restores to a directory, and returns the time at which the store's clock stands
   */
  static Rockpool open(
      BackupTarget target, UnaryOperator<RockpoolBuilder> with, Function<Path, Instant> restore) {
    StoreOptions options = with.apply(new RockpoolBuilder(null, null)).options();
    Path temporary = TemporaryDirectory.create(TemporaryDirectory.parent());
    try {
      Instant[] time = new Instant[1];
      TemporaryDirectory.locked(temporary, () -> time[0] = restoreInto(temporary, restore));
      OpenStore store =
          SharedStores.openCopy(
              temporary,
              "a copy of a backup in " + target,
              options.with(StoreOptions.CLOCK, InstantSource.fixed(time[0])));
      return new Rockpool(store, temporary);
    } catch (RuntimeException | Error e) {
      TemporaryDirectory.remove(temporary);
      throw e;
    }
  }

  /** Restores beside the lock file that the open store will lock. */
  private static Instant restoreInto(Path temporary, Function<Path, Instant> restore) {
    Path directory = temporary.resolve(STORE);
    Instant time = restore.apply(directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.move(file, temporary.resolve(file.getFileName()));
      }
      Files.delete(directory);
      return time;
    } catch (IOException e) {
      throw refused(temporary, e);
    }
  }

  /** The directory for the store; it does not exist yet. */
  Path directory() {
    return temporary.resolve(STORE);
  }

  /**
   * Opens the store, checks all of it, and closes it. Only reads: a store that continued a rotation
   * of its keys would change the file of keys, which it shares with the store it was made of.
   */
  VerifyReport verify(StoreOptions options) {
    OpenStore store = SharedStores.openCopy(directory(), "a copy of a backup", options);
    try {
      RecoveryReport recovery = Objects.requireNonNull(store.embedded).recoveryReport();
      if (!recovery.clean()) {
        throw new CorruptStoreException(
            "The backup was restored, but not as it was: "
                + recovery.message()
                + " Make another backup.",
            null);
      }
      return store.verify(VerifyOptions.defaults());
    } finally {
      boolean unused = SharedStores.letGo(store);
      SharedStores.close(store);
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw refused(temporary, e);
    } finally {
      TemporaryDirectory.remove(temporary);
    }
  }

  private static StoreIoException refused(Path directory, IOException e) {
    return new StoreIoException(
        "A backup could not be restored in "
            + directory
            + ": "
            + FileErrors.text(e)
            + ". Look at the file system.",
        directory,
        e);
  }
}

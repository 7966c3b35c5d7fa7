package io.rockpool;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.store.RecoveryReport;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** A temporary directory for a restored store, deleted when this is closed. */
final class RestoredCopy implements AutoCloseable {
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

  /** The directory for the store; it does not exist yet. */
  Path directory() {
    return temporary.resolve("store");
  }

  /** Opens the store, checks all of it, and closes it. */
  VerifyReport verify(StoreOptions options) {
    OpenStore store = OpenStore.open(directory(), options);
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
      boolean unused = store.letGo();
      store.close();
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
        "A backup could not be verified in " + directory + ": " + e + ". Look at the file system.",
        directory,
        e);
  }
}

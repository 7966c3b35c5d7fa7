package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import java.nio.file.Path;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/** Copies the database as of one moment, while it is read and written. */
public final class NativeCheckpoint {
  private NativeCheckpoint() {}

  /**
   * Writes a copy of the database that has every change acknowledged before the call, each later
   * change only together with all before it, and each batch as a whole. Files are hard links if the
   * file system has them. Flushes the memtables, so that the copy of the log is short. Call it
   * inside the {@link CloseGuard}.
   *
   * @param files where to write it, in an existing directory; it must not exist
   * @return the sequence number of the last change in the copy
   */
  public static long write(Database database, WritePath writePath, Path files) {
    // Also refuses if the log may have refused changes.
    long unused = writePath.sync();
    try {
      // The sync may have forced the journal instead.
      database.buffer().drain();
      try (Checkpoint checkpoint = Checkpoint.create(database.opened().db())) {
        checkpoint.createCheckpoint(files.toString());
      }
      // A change that was refused meanwhile may be in the copy of the log.
      writePath.gate().checkForGood();
      return database.opened().latestSequenceOf(files);
    } catch (RocksDBException e) {
      RockpoolException error = database.failed(e, "make a checkpoint of");
      // After a failed flush RocksDB takes no writes until it is reopened.
      if (error instanceof StoreFullException full && database.measures().hasFailed()) {
        writePath.gate().setFull(full);
      }
      throw error;
    }
  }
}

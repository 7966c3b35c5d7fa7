package io.rockpool.engine.rocksdb;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB says went wrong into what a caller can act on. */
final class Failures {
  /** Enough to find a record by; no more of a user's data belongs into messages. */
  private static final int MAX_SHOWN_KEY_BYTES = 24;

  private Failures() {}

  /**
   * The error for {@code e}, which came of {@code action} ("write to") on the store in {@code
   * directory}.
   */
  static RockpoolException of(RocksDBException e, String action, Path directory) {
    String what =
        "Could not " + action + " the store at " + directory + ": " + e.getMessage() + ". ";
    Status status = e.getStatus();
    if (isNoSpace(e, status)) {
      return new StoreFullException(
          what
              + "The disk is full; make space, and writes succeed again by themselves within seconds.",
          e);
    }
    if (status != null && status.getCode() == Status.Code.Corruption) {
      return new CorruptStoreException(
          what + "Its files are damaged or some are missing; restore the directory from a copy.",
          e);
    }
    return new StoreIoException(
        what + "Look at the file system under the directory: is it there, writable and healthy?",
        e);
  }

  /** The error for a record that is not what its format allows. */
  static CorruptStoreException corrupt(String space, byte[] key, CorruptStoreException e) {
    int shown = Math.min(key.length, MAX_SHOWN_KEY_BYTES);
    return new CorruptStoreException(
        "In the space \""
            + space
            + "\", at the key "
            + HexFormat.of().formatHex(key, 0, shown)
            + (shown < key.length ? "\u2026" : "")
            + ": "
            + e.getMessage()
            + ". Restore the directory from a copy, or drop the space.",
        e);
  }

  private static boolean isNoSpace(RocksDBException e, @Nullable Status status) {
    return status != null && status.getSubCode() == Status.SubCode.NoSpace
        || String.valueOf(e.getMessage()).contains("No space left on device");
  }
}

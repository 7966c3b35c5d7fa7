package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.ShownKey;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB says went wrong into what a caller can act on. */
public final class NativeFailures {
  /**
   * What RocksDB says where a file that it reads is not there, with a code for other things too.
   */
  private static final Pattern MISSING =
      Pattern.compile(
          "While open(ing)? a file for (random read|sequentially reading).*No such file or directory"
              + "|does not exist \\(create_if_missing is false\\)");

  /**
   * What RocksDB says where the system took what was written, and does not know whether it is on
   * the disk.
   */
  private static final Pattern UNFORCED =
      Pattern.compile(
          "While f(data)?sync|F_FULLFSYNC|failed at Sync|While closing file after writing",
          Pattern.CASE_INSENSITIVE);

  /** With less than that there is no room for RocksDB's next file. */
  private static final long LITTLE_SPACE_BYTES = 1 << 20;

  private NativeFailures() {}

  /**
   * The error for {@code e}, which came of {@code action} ("write to") on the store in {@code
   * directory}.
   */
  public static RockpoolException of(RocksDBException e, String action, Path directory) {
    String what = couldNot(action, e, directory);
    Status status = e.getStatus();
    if (isNoSpace(e, status) || isWoken(status)) {
      return full(what, e);
    }
    if ((status != null && status.getCode() == Status.Code.Corruption) || isMissing(e)) {
      return damaged(action, e, directory);
    }
    return isFull(directory)
        ? full(what, e)
        : new StoreIoException(
            what
                + "Look at the file system under the directory: is it there, writable and healthy? If it is and this"
                + " goes on, close the store and open it again.",
            e);
  }

  private static StoreFullException full(String what, RocksDBException e) {
    return new StoreFullException(
        what
            + "The disk is full; make space. Reads go on, and writes do by themselves within seconds of that, once"
            + " cursors and snapshots are closed.",
        e);
  }

  /** The same error for another who meets what it says. */
  public static StoreIoException again(StoreIoException error) {
    return new StoreIoException(String.valueOf(error.getMessage()), error);
  }

  /** After the first write that a full disk refused, RocksDB says of others only that one was. */
  private static boolean isFull(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace() < LITTLE_SPACE_BYTES;
    } catch (IOException unknown) {
      return false;
    }
  }

  private static CorruptStoreException damaged(String action, RocksDBException e, Path directory) {
    return new CorruptStoreException(
        couldNot(action, e, directory)
            + "Its files are damaged or some are missing; restore the directory from a copy.",
        e);
  }

  private static String couldNot(String action, RocksDBException e, Path directory) {
    return "Could not " + action + " the store at " + directory + ": " + e.getMessage() + ". ";
  }

  /** The error for a record that is not what its format allows. */
  public static CorruptStoreException corrupt(String space, byte[] key, CorruptStoreException e) {
    return new CorruptStoreException(
        "In the space \""
            + space
            + "\", at the key "
            + ShownKey.of(key)
            + ": "
            + e.getMessage()
            + ". Restore the directory from a copy, or drop the space.",
        e);
  }

  private static boolean isNoSpace(RocksDBException e, @Nullable Status status) {
    return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
        || StoreDirectory.isNoSpace(e);
  }

  /** Whether it was ended by {@link NativeDatabase#wakeWhoWaits}. */
  private static boolean isWoken(@Nullable Status status) {
    return status != null && status.getCode() == Status.Code.ShutdownInProgress;
  }

  /**
   * Whether something is written that the system could not force to the disk, so that it may be
   * there after all, or not even what was written before.
   */
  public static boolean isUnforced(RocksDBException e) {
    return UNFORCED.matcher(String.valueOf(e.getMessage())).find();
  }

  private static boolean isMissing(RocksDBException e) {
    return MISSING.matcher(String.valueOf(e.getMessage())).find();
  }
}

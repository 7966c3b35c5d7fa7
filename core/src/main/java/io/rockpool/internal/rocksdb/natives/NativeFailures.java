package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.logging.ShownKey;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Converts RocksDB's errors into exceptions that tell a caller what to do. */
public final class NativeFailures {
  /** RocksDB's messages for a missing file; their code has other meanings too. */
  private static final Pattern MISSING =
      Pattern.compile(
          "While open(ing)? a file for (random read|sequentially reading).*No such file or directory"
              + "|does not exist \\(create_if_missing is false\\)");

  /** RocksDB's messages if the system took a write but cannot say whether it is on disk. */
  private static final Pattern UNFORCED =
      Pattern.compile(
          "While f(data)?sync|F_FULLFSYNC|failed at Sync|While closing file after writing",
          Pattern.CASE_INSENSITIVE);

  /** With less free space, RocksDB's next file does not fit. */
  private static final long LITTLE_SPACE_BYTES = 1 << 20;

  private NativeFailures() {}

  /**
   * The exception for {@code e}, thrown by {@code action} ("write to") on the store in {@code
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
            directory,
            e);
  }

  private static StoreFullException full(String what, RocksDBException e) {
    return new StoreFullException(
        what
            + "The disk is full; make space. Reads go on, and writes do by themselves within seconds of that, once"
            + " cursors and snapshots are closed.",
        e);
  }

  /** A copy of the exception, to throw on another thread. */
  public static StoreIoException again(StoreIoException error) {
    return new StoreIoException(
        String.valueOf(error.getMessage()), error.directory().orElse(null), error);
  }

  /**
   * After the first write that fails on a full disk, RocksDB's later errors mention only that
   * write.
   */
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
            + "Its files are damaged or some are missing; restore the directory from a copy, or copy"
            + " what is readable with StoreSalvage.copy.",
        directory,
        e);
  }

  /** The exception for a write that RocksDB refuses because a background job failed. */
  static CorruptStoreException stopped(CorruptStoreException found, Path directory) {
    return new CorruptStoreException(
        "Nothing was written to the store at "
            + directory
            + ": a file of it is damaged, and RocksDB takes no writes after it has met that: "
            + found.getMessage()
            + " Try again: within seconds the store takes writes without compacting that file.",
        directory,
        found);
  }

  private static String couldNot(String action, RocksDBException e, Path directory) {
    return "Could not " + action + " the store at " + directory + ": " + e.getMessage() + ". ";
  }

  /** The exception for a malformed record. */
  static CorruptStoreException corrupt(
      Path directory, String space, byte[] key, CorruptStoreException e) {
    String shown = ShownKey.of(key);
    return new CorruptStoreException(
        "In the space \""
            + space
            + "\", at the key "
            + shown
            + ": "
            + e.getMessage()
            + ". Restore the directory from a copy, or drop the space.",
        directory,
        space,
        shown,
        e);
  }

  private static boolean isNoSpace(RocksDBException e, @Nullable Status status) {
    return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
        || StoreDirectory.isNoSpace(e);
  }

  /** Whether RocksDB did not do it now, because it has stopped writes. */
  static boolean isBusy(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.TryAgain;
  }

  /** Whether {@link NativeDatabase#wakeWhoWaits} ended the call. */
  private static boolean isWoken(@Nullable Status status) {
    return status != null && status.getCode() == Status.Code.ShutdownInProgress;
  }

  /**
   * Whether the system could not force a write to disk. Then neither this write nor earlier ones
   * are known to be on disk, or not.
   */
  public static boolean isUnforced(RocksDBException e) {
    return UNFORCED.matcher(String.valueOf(e.getMessage())).find();
  }

  private static boolean isMissing(RocksDBException e) {
    return MISSING.matcher(String.valueOf(e.getMessage())).find();
  }
}

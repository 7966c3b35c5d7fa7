package io.rockpool.internal.backup;

import io.rockpool.internal.rocksdb.files.LogRecord;
import org.jspecify.annotations.Nullable;

/** An open store whose log is shipped. */
public interface LogSource {
  /**
   * Makes a backup in the target.
   *
   * @return its last change, and a time at which it had been made
   */
  Full backUp();

  /**
   * A backup.
   *
   * @param end its last change
   * @param bytes the size of its files
   */
  record Full(LogMark end, long bytes) {}

  /** Calls {@link LogShipper#backUpIfDue} soon, on another thread. */
  void backUpSoon();

  /** Notes the current moment with {@link LogShipper#mark}. */
  void look();

  /**
   * Forces all acknowledged changes to disk, and writes them to the log.
   *
   * @return the number of the last of them; only changes up to here survive a power loss
   */
  long force();

  /** The next record of the log, or null if it has no more. */
  @Nullable LogRecord read();

  /** The content of the store's file {@code classes}; empty if there is none. */
  byte[] classes();

  /** Whether the store may hold more than caches. */
  boolean mayHoldCollections();
}

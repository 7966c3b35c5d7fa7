package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-ahead log of an open store from some moment on, read after RocksDB. Its files are kept
 * open, so they can be read after RocksDB has deleted them. Thread-safe.
 *
 * <p>A file that is created and deleted between two calls of {@link #look} is missed. Its reader
 * then finds a gap in the sequence numbers.
 */
public final class LogTail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.log");

  private final LogFiles logs;
  private final long maxUnreadBytes;
  private final TreeMap<Long, LogFileReader> files = new TreeMap<>();
  private long newest = -1;
  private boolean closed;

  /** Follows a log; keeps at most so many bytes that were not read. */
  public LogTail(LogFiles logs, long maxUnreadBytes) {
    this.logs = logs;
    this.maxUnreadBytes = maxUnreadBytes;
  }

  /**
   * Opens the files that were created since the last call. Drops the oldest ones if too much is
   * unread.
   */
  public synchronized void look() {
    if (closed) {
      return;
    }
    try (Stream<Path> names = Files.list(logs.files())) {
      for (Path file : (Iterable<Path>) names::iterator) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches() && Long.parseLong(name.group(1)) > newest) {
          open(Long.parseLong(name.group(1)), file);
        }
      }
      newest = files.isEmpty() ? newest : Math.max(newest, files.lastKey());
      dropUnread();
    } catch (IOException | UncheckedIOException e) {
      throw StoreDirectory.refused("read the log of", logs.store(), e);
    }
  }

  private void open(long number, Path file) throws IOException {
    try {
      files.put(number, new LogFileReader(file));
    } catch (FileNotFoundException e) {
      if (Files.exists(file)) {
        throw e;
      }
    }
  }

  private void dropUnread() throws IOException {
    long unread = 0;
    for (LogFileReader file : files.values()) {
      unread += file.unreadBytes();
    }
    while (unread > maxUnreadBytes && files.size() > 1) {
      try (LogFileReader oldest = files.pollFirstEntry().getValue()) {
        unread -= oldest.unreadBytes();
        LOG.warn(
            "{} bytes of the log of {} are not shipped; the oldest file is dropped.",
            unread,
            logs.store());
      }
    }
  }

  /** The next record, or null if there is none yet. */
  public synchronized @Nullable LogRecord read() {
    try {
      while (!files.isEmpty()) {
        Map.Entry<Long, LogFileReader> oldest = files.firstEntry();
        // Before a newer file exists, all of this one is written.
        boolean complete = files.size() > 1;
        LogRecord record = oldest.getValue().read();
        if (record != null || !complete) {
          return record;
        }
        files.remove(oldest.getKey());
        oldest.getValue().close();
      }
      return null;
    } catch (IOException e) {
      throw StoreDirectory.refused("read the log of", logs.store(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      for (LogFileReader file : files.values()) {
        file.close();
      }
    } catch (IOException e) {
      throw StoreDirectory.refused("close the log of", logs.store(), e);
    } finally {
      files.clear();
    }
  }
}

package io.rockpool.internal.rocksdb.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rockpool.error.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a store, a directory of backups, or a file of data keys: an operating system lock on
 * a file that contains the pid of the process.
 *
 * <p>Such a lock belongs to the process, and closing <i>any</i> descriptor of the file releases it.
 * So a directory that this process has open is rejected before its lock file is opened. If only
 * another class loader of this process knows about the lock, the descriptor that detected it stays
 * open, and the next attempt uses it.
 */
public final class DirectoryLock implements Closeable {
  /** What a locked directory is used for. */
  public enum Use {
    STORE(
        "The store at ",
        "Stop that process, wait for it with a lock wait, or open another directory."),
    BACKUPS(
        "The backup directory ",
        "Wait until the backup of that process is complete, or use another directory."),
    LOG(
        "The log in the backup directory ",
        "Close the shipping of that process, or use another directory."),
    KEYS(
        "The file of data keys ",
        "Close the store of that process, or give this store a file of its own.");

    private final String what;
    private final String advice;

    Use(String what, String advice) {
      this.what = what;
      this.advice = advice;
    }
  }

  /** The lock files that this process holds. */
  private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

  /** The lock files that another class loader of this process had locked, by file key. */
  private static final Map<Object, RandomAccessFile> LOCKED_ELSEWHERE = new HashMap<>();

  private static final int MAX_PID_DIGITS = 20;

  /** The real path of the lock file. */
  private final Path path;

  /** Not a channel: an interrupt of a thread that uses a channel closes it. */
  private final RandomAccessFile file;

  private DirectoryLock(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Acquires the lock.
   *
   * @param directory what is locked, for messages; a directory, or a file beside the lock file
   * @param file the lock file
   * @throws StoreLockedException if another process or class loader has it
   */
  public static DirectoryLock take(Use use, Path directory, Path file) throws IOException {
    Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Path real = parent.toRealPath().resolve(file.getFileName());
    if (!OPEN_HERE.add(real)) {
      throw openHere(use, directory);
    }
    boolean taken = false;
    try {
      DirectoryLock lock = new DirectoryLock(real, lock(use, directory, file));
      taken = true;
      return lock;
    } finally {
      if (!taken) {
        OPEN_HERE.remove(real);
      }
    }
  }

  private static RandomAccessFile lock(Use use, Path directory, Path path) throws IOException {
    synchronized (LOCKED_ELSEWHERE) {
      FileModes.createFile(path);
      BasicFileAttributes known = FileModes.requireFile(path);
      Object key = Objects.requireNonNullElse(known.fileKey(), path.toRealPath());
      RandomAccessFile left = LOCKED_ELSEWHERE.remove(key);
      RandomAccessFile file = left == null ? new RandomAccessFile(path.toFile(), "rw") : left;
      boolean keeps = false;
      try {
        if (file.getChannel().tryLock() != null) {
          requireSame(known, path);
          keeps = true;
          return file;
        }
        Long pid = readPid(file);
        throw new StoreLockedException(
            use.what
                + directory
                + " is in use by "
                + (pid == null ? "another process" : "the process with pid " + pid)
                + ". "
                + use.advice,
            directory,
            pid);
      } catch (OverlappingFileLockException e) {
        keeps = true;
        LOCKED_ELSEWHERE.put(key, file);
        throw openHere(use, directory);
      } finally {
        if (!keeps) {
          file.close();
        }
      }
    }
  }

  /** Checks that no link was laid at the path while it was being opened. */
  private static void requireSame(BasicFileAttributes known, Path path) throws IOException {
    Object now = FileModes.requireFile(path).fileKey();
    if (!Objects.equals(known.fileKey(), now)) {
      throw new IOException(path + " was replaced while it was being opened");
    }
  }

  /** Rejects a directory that this class loader has open. Opens no file. */
  static void refuseIfHeldHere(Path directory) throws IOException {
    if (OPEN_HERE.contains(directory.toRealPath().resolve(StoreDirectory.LOCK))) {
      throw openHere(Use.STORE, directory);
    }
  }

  private static StoreLockedException openHere(Use use, Path directory) {
    return new StoreLockedException(
        use.what
            + directory
            + " is open in this process already; share that one, or close it first.",
        directory,
        ProcessHandle.current().pid());
  }

  /** Writes this process's pid into the file, so that other processes can report it. */
  public void writePid() throws IOException {
    byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(US_ASCII);
    file.setLength(0);
    file.seek(0);
    file.write(pid);
  }

  private static @Nullable Long readPid(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[MAX_PID_DIGITS];
    file.seek(0);
    int length = file.read(bytes);
    String text = new String(bytes, 0, Math.max(0, length), US_ASCII).strip();
    return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  /** Releases the lock. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      OPEN_HERE.remove(path);
    }
  }
}

package io.rockpool.internal.rocksdb.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rockpool.error.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A store's lock: the operating system's, on a file that names the process by its pid.
 *
 * <p>Such a lock belongs to the process, and closing <i>any</i> descriptor of the file gives it up.
 * So a directory that this process has open is refused before its lock file is touched; where only
 * another class loader knows, the descriptor that found out stays open, and the next attempt uses
 * it.
 */
final class DirectoryLock implements AutoCloseable {
  private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

  /** By what the file system knows them, the lock files that another class loader had locked. */
  private static final Map<Object, RandomAccessFile> LOCKED_ELSEWHERE = new HashMap<>();

  private static final int MAX_PID_DIGITS = 20;

  private final Path directory;

  /** Not a channel, which an interrupt of any thread that uses it would close. */
  private final RandomAccessFile file;

  private DirectoryLock(Path directory, RandomAccessFile file) {
    this.directory = directory;
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @throws StoreLockedException if another has it
   */
  static DirectoryLock take(Path directory, Path file) throws IOException {
    Path real = directory.toRealPath();
    if (!OPEN_HERE.add(real)) {
      throw openHere(directory);
    }
    boolean taken = false;
    try {
      DirectoryLock lock = new DirectoryLock(real, lock(directory, file));
      taken = true;
      return lock;
    } finally {
      if (!taken) {
        OPEN_HERE.remove(real);
      }
    }
  }

  private static RandomAccessFile lock(Path directory, Path path) throws IOException {
    synchronized (LOCKED_ELSEWHERE) {
      FileModes.createFile(path);
      BasicFileAttributes known = Files.readAttributes(path, BasicFileAttributes.class);
      Object key = Objects.requireNonNullElse(known.fileKey(), path.toRealPath());
      RandomAccessFile left = LOCKED_ELSEWHERE.remove(key);
      RandomAccessFile file = left == null ? new RandomAccessFile(path.toFile(), "rw") : left;
      boolean keeps = false;
      try {
        keeps = file.getChannel().tryLock() != null;
        if (keeps) {
          return file;
        }
        String pid = readPid(file);
        throw new StoreLockedException(
            "The store at "
                + directory
                + " is in use by "
                + (pid == null ? "another process" : "the process with pid " + pid)
                + ". Stop that process, wait for it with a lock wait, or open another directory.");
      } catch (OverlappingFileLockException e) {
        keeps = true;
        LOCKED_ELSEWHERE.put(key, file);
        throw openHere(directory);
      } finally {
        if (!keeps) {
          file.close();
        }
      }
    }
  }

  /**
   * Refuses a directory that this process has open, as far as this class loader knows. Touches
   * nothing.
   */
  static void refuseIfHeldHere(Path directory) throws IOException {
    if (OPEN_HERE.contains(directory.toRealPath())) {
      throw openHere(directory);
    }
  }

  private static StoreLockedException openHere(Path directory) {
    return new StoreLockedException(
        "The store at "
            + directory
            + " is open in this process already; share that one, or close it first.");
  }

  /** Writes this process's pid into the file, for others to find. */
  void writePid() throws IOException {
    byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(US_ASCII);
    file.setLength(0);
    file.seek(0);
    file.write(pid);
  }

  private static @Nullable String readPid(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[MAX_PID_DIGITS];
    file.seek(0);
    int length = file.read(bytes);
    String text = new String(bytes, 0, Math.max(0, length), US_ASCII).strip();
    return text.matches("[0-9]+") ? text : null;
  }

  /** Gives the lock up. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      OPEN_HERE.remove(directory);
    }
  }
}

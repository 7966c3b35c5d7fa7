package io.rockpool.engine.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rockpool.error.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A store's lock: the operating system's, on a file that names the process by its pid.
 *
 * <p>Such a lock belongs to the process, and closing <i>any</i> channel to the file gives it up. So
 * a directory that this process has open is refused before its lock file is touched; where only
 * another class loader knows, the channel that found out is kept open for ever.
 */
final class DirectoryLock implements AutoCloseable {
  private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();
  private static final Collection<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();
  private static final int MAX_PID_DIGITS = 20;

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
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
    try {
      return new DirectoryLock(real, lock(directory, file));
    } catch (IOException | RuntimeException e) {
      OPEN_HERE.remove(real);
      throw e;
    }
  }

  private static FileChannel lock(Path directory, Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
            FileModes.file(file));
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        String pid = readPid(channel);
        channel.close();
        throw new StoreLockedException(
            "The store at "
                + directory
                + " is in use by "
                + (pid == null ? "another process" : "the process with pid " + pid)
                + "; stop that process, or open another directory.");
      }
    } catch (OverlappingFileLockException e) {
      NEVER_CLOSED.add(channel);
      throw openHere(directory);
    }
    return channel;
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
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid), 0);
  }

  private static @Nullable String readPid(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_PID_DIGITS);
    channel.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), US_ASCII).strip();
    return text.matches("[0-9]+") ? text : null;
  }

  /** Gives the lock up. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      OPEN_HERE.remove(directory);
    }
  }
}

package io.rockpool;

import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.access.StoreClasses;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a store's values, in its file {@code classes}: one name per line, appended and
 * synced. A last line without a line feed was never acknowledged and is ignored.
 */
final class LearnedClasses implements StoreClasses {
  static final String FILE = StoreDirectory.CLASSES;

  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final @Nullable Path file;

  /** The offset of the next line. Guarded by this. */
  private long end;

  /**
   * @param directory null for a store in memory
   */
  LearnedClasses(@Nullable Path directory) {
    this.file = directory == null ? null : directory.resolve(FILE);
    if (file != null && Files.exists(file)) {
      try {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        whole.lines().forEach(names::add);
        end = whole.getBytes(StandardCharsets.UTF_8).length;
      } catch (IOException e) {
        throw new UncheckedIOException("The classes of the store in " + file + " are unread.", e);
      }
    }
  }

  @Override
  public boolean contains(String className) {
    return names.contains(className);
  }

  @Override
  public SortedSet<String> names() {
    return new TreeSet<>(names);
  }

  @Override
  public synchronized void add(String className) {
    if (names.contains(className)) {
      return;
    }
    if (file != null) {
      try {
        append(file, className + '\n');
      } catch (IOException e) {
        throw refusal(className, file, e);
      }
    }
    names.add(className);
  }

  private static RockpoolException refusal(String className, Path file, IOException e) {
    String what =
        "The name of class "
            + className
            + " could not be written to "
            + file
            + ": "
            + FileErrors.text(e)
            + ". ";
    return String.valueOf(e.getMessage()).contains("No space left on device")
        ? new StoreFullException(
            what + "Nothing was stored. The disk is full; make space and try again.", e)
        : new StoreIoException(
            what + "Nothing was stored. Look at the file, its permissions and the file system.",
            file.getParent(),
            e);
  }

  /** An interrupt closes the channels of its thread: all is written again then. */
  private void append(Path to, String line) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      boolean done = false;
      while (!done) {
        try {
          tryAppend(to, line.getBytes(StandardCharsets.UTF_8));
          done = true;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
          boolean unused = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void tryAppend(Path to, byte[] line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line);
    if (!Files.exists(to)) {
      create(to);
    }
    try (FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
      out.truncate(end);
      while (bytes.hasRemaining()) {
        out.write(bytes, end + bytes.position());
      }
      out.force(true);
    }
    if (end == 0 && isPosix(to)) {
      try (FileChannel directory = FileChannel.open(to.resolveSibling("."))) {
        directory.force(true);
      }
    }
    end += line.length;
  }

  /** Like all files of a store, it is readable for its owner only. */
  private static void create(Path file) throws IOException {
    FileAttribute<?>[] mode =
        isPosix(file)
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Files.createFile(file, mode);
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}

package io.rockpool;

import io.rockpool.codec.ClassCatalog;
import io.rockpool.error.UnencodableValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a store's values, in its file {@code classes}: one name per line, appended and
 * synced. A last line without a line feed was never acknowledged and is ignored.
 */
final class LearnedClasses implements ClassCatalog {
  static final String FILE = "classes";

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
  public synchronized void add(String className) {
    if (names.contains(className)) {
      return;
    }
    if (file != null) {
      try {
        append(file, className + '\n');
      } catch (IOException e) {
        throw new UnencodableValueException(
            "Class " + className + " could not be noted in " + file + ", so it is not stored.", e);
      }
    }
    names.add(className);
  }

  private void append(Path to, String line) throws IOException {
    boolean isNew = !Files.exists(to);
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    long begin = end;
    if (isNew) {
      create(to);
    }
    try (FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
      out.truncate(begin);
      while (bytes.hasRemaining()) {
        out.write(bytes, begin + bytes.position());
      }
      out.force(true);
    }
    if (isNew) {
      try (FileChannel directory = FileChannel.open(to.resolveSibling("."))) {
        directory.force(true);
      }
    }
    end = begin + bytes.capacity();
  }

  /** Like all files of a store, it is readable for its owner only. */
  private static void create(Path file) throws IOException {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] mode =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Files.createFile(file, mode);
  }
}

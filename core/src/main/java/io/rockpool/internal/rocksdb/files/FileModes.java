package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Restricts a store's files to their owner: directories 0700, files 0600. A file system without
 * such modes keeps its defaults.
 *
 * <p>Rockpool creates its files with these modes. RocksDB creates files with the process's umask,
 * often 0644, and Java cannot change that. But they are in a directory of mode 0700 from the start,
 * so no other user can reach them. They are set to 0600 when the store is opened and closed, and
 * within a sync period in between.
 */
public final class FileModes {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<?>[] NONE = {};

  private FileModes() {}

  /** The attributes to create a directory with. */
  public static FileAttribute<?>[] directory(Path path) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(DIRECTORY)}
        : NONE;
  }

  /** The attributes to create a file with. */
  public static FileAttribute<?>[] file(Path path) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
        : NONE;
  }

  /** Creates an empty file if there is none. */
  static void createFile(Path path) throws IOException {
    try {
      Files.createFile(path, file(path));
    } catch (FileAlreadyExistsException e) {
      // The existing file stays as it is.
    }
  }

  /** Sets the files in {@code directory} to 0600. Skips files that are deleted during the call. */
  static void restrictFiles(Path directory) throws IOException {
    if (!isPosix(directory)) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        try {
          PosixFileAttributeView view =
              Files.getFileAttributeView(
                  file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
          if (!view.readAttributes().permissions().equals(FILE)) {
            view.setPermissions(FILE);
          }
        } catch (NoSuchFileException e) {
          // RocksDB deletes files at any time.
        }
      }
    }
  }

  public static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}

package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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

  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;

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

  /**
   * Checks that a path is a regular file. In a directory that other users may write to, they can
   * lay a link there, through which this process would change a file elsewhere, or a FIFO, which
   * would block it.
   *
   * @return its attributes
   */
  public static BasicFileAttributes requireFile(Path path) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isRegularFile()) {
      throw new IOException(
          path
              + " is "
              + (found.isSymbolicLink() ? "a link" : "no regular file")
              + ". Delete it, and let no other user write to its directory");
    }
    return found;
  }

  /** Checks that a path is a directory, and no link to one; see {@link #requireFile}. */
  public static void requireDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          path
              + " is a link, or no directory. Delete it, and let no other user write to its"
              + " directory");
    }
  }

  /**
   * Whether no other user, except root, may rename a directory of this user: its parent belongs to
   * this user or root, and is sticky or not writable for others.
   */
  public static boolean keepsItsName(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null || !isPosix(directory)) {
      return true;
    }
    int mode = (Integer) Files.getAttribute(parent, "unix:mode");
    Object owner = Files.getAttribute(parent, "unix:uid");
    return ((mode & OTHERS_WRITE) == 0 || (mode & STICKY) != 0)
        && (owner.equals(0)
            || owner.equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
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

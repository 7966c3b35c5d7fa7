package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes directories of killed processes from a directory that other users may write to. Deletes
 * only what this user made for this purpose: a directory of this user that is empty or has the file
 * {@link #MARKER}. Another user can rename a closed store of this user into such a name, but cannot
 * add the file. Each directory is opened without following links, and everything in it is reached
 * from there: its path may lead elsewhere at any time.
 */
public final class AbandonedDirectories {
  /** An empty file in each directory that may be deleted. */
  public static final String MARKER = "ROCKPOOL.temporary";

  private static final Logger LOG = LoggerFactory.getLogger("io.rockpool");
  private static final Set<OpenOption> LOCKABLE =
      Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private final Path parent;
  private final UserPrincipal user;
  private final Instant before;

  private AbandonedDirectories(Path parent, UserPrincipal user, Instant before) {
    this.parent = parent;
    this.user = user;
    this.before = before;
  }

  /**
   * Deletes directories that no process has locked. What cannot be deleted stays.
   *
   * @param parent the directory with the directories
   * @param names which names they have; without those of this process: closing a file releases all
   *     locks of the process on it
   * @param own the prefix of a name for a directory of this process
   * @param before younger directories stay: their process may not have locked them yet
   */
  public static void remove(Path parent, Predicate<String> names, String own, Instant before) {
    try {
      List<Path> candidates = candidates(parent, names);
      if (!candidates.isEmpty()) {
        new AbandonedDirectories(parent, ownerOfNew(parent, own), before).remove(candidates);
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("The abandoned directories in {} stay where they are.", parent, e);
    }
  }

  private static List<Path> candidates(Path parent, Predicate<String> names) throws IOException {
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(parent)) { // opening a FIFO as a directory would block
      return found;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
      for (Path each : all) {
        if (names.test(each.getFileName().toString())) {
          found.add(each.getFileName());
        }
      }
    }
    return found;
  }

  /** This user, as the file system calls the owner of what this process creates. */
  private static UserPrincipal ownerOfNew(Path parent, String own) throws IOException {
    Path made = Files.createTempDirectory(parent, own);
    try {
      return Files.getOwner(made, LinkOption.NOFOLLOW_LINKS);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private void remove(List<Path> candidates) throws IOException {
    try (DirectoryStream<Path> opened = Files.newDirectoryStream(parent)) {
      for (Path name : candidates) {
        try {
          if (opened instanceof SecureDirectoryStream<Path> secure) {
            remove(secure, name);
          } else {
            removeByPath(parent.resolve(name));
          }
        } catch (IOException | OverlappingFileLockException e) {
          LOG.debug("The abandoned directory {} stays in {}.", name, parent, e);
        }
      }
    }
  }

  private void remove(SecureDirectoryStream<Path> opened, Path name) throws IOException {
    if (!attributes(opened, name).isDirectory()) {
      return;
    }
    try (SecureDirectoryStream<Path> directory =
        opened.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      if (!isOld(directory.getFileAttributeView(BasicFileAttributeView.class).readAttributes())
          || !isOwn(directory.getFileAttributeView(FileOwnerAttributeView.class).getOwner())) {
        return;
      }
      if (!isFile(directory, MARKER)) {
        opened.deleteDirectory(name); // fails unless it is empty
      } else if (!isFile(directory, StoreDirectory.LOCK)) {
        DirectoryTree.deleteContent(directory);
        opened.deleteDirectory(name);
      } else {
        Path lock = Path.of(StoreDirectory.LOCK);
        try (SeekableByteChannel file = directory.newByteChannel(lock, LOCKABLE)) {
          if (isFree(file)) {
            DirectoryTree.deleteContent(directory);
            opened.deleteDirectory(name);
          }
        }
      }
    }
  }

  /** Whether a name is of a regular file; a link or a FIFO with the name keeps the directory. */
  private static boolean isFile(SecureDirectoryStream<Path> directory, String name)
      throws IOException {
    try {
      if (attributes(directory, Path.of(name)).isRegularFile()) {
        return true;
      }
      throw new IOException(name + " is no regular file");
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** Takes the lock of an open file, until the file is closed. */
  private static boolean isFree(SeekableByteChannel file) throws IOException {
    FileLock taken = file instanceof FileChannel channel ? channel.tryLock() : null;
    return taken != null;
  }

  private boolean isOld(BasicFileAttributes attributes) {
    return attributes.lastModifiedTime().toInstant().isBefore(before);
  }

  private boolean isOwn(UserPrincipal owner) {
    return owner.equals(user);
  }

  /**
   * The same where the system has no open directories, as on Windows, whose directory of temporary
   * files belongs to the user. Elsewhere only in a directory in which no other user renames files.
   */
  private void removeByPath(Path directory) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isDirectory()
        || !isOld(found)
        || !isOwn(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))
        || !FileModes.keepsItsName(directory)) {
      return;
    }
    Path lock = directory.resolve(StoreDirectory.LOCK);
    if (!Files.isRegularFile(directory.resolve(MARKER), LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(directory); // fails unless it is empty
    } else if (Files.notExists(lock, LinkOption.NOFOLLOW_LINKS)) {
      DirectoryTree.delete(directory);
    } else if (Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      boolean free;
      try (FileChannel file = FileChannel.open(lock, LOCKABLE)) {
        free = isFree(file);
      }
      if (free) { // Windows deletes no open file
        DirectoryTree.delete(directory);
      }
    }
  }
}

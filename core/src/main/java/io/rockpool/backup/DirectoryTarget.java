package io.rockpool.backup;

import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.internal.rocksdb.files.BackupMarker;
import io.rockpool.internal.rocksdb.files.DirectoryLock;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.DurableFiles;
import io.rockpool.internal.rocksdb.files.FileModes;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Backups in a directory of their own. Objects are written under temporary names, forced to disk
 * and renamed, so each is there whole or not at all, also after a power loss.
 *
 * <pre>
 * ROCKPOOL.backups    the marker and the format of the directory
 * lock                locked while a backup is made; contains the pid of the process
 * lock-log            the same, while a log is shipped
 * incoming/           objects that are not complete, in a directory for each lock
 * backups/, files/, log/   the objects; their names are their paths
 * </pre>
 */
public final class DirectoryTarget implements BackupTarget {
  private static final String INCOMING = "incoming";
  private static final String LOCK = "lock";

  /** What a new file system has in its root directory. */
  private static final String LOST_AND_FOUND = "lost+found";

  private static final int BUFFER_BYTES = 128 << 10;

  private final Path root;

  private DirectoryTarget(Path directory) {
    this.root = Objects.requireNonNull(directory, "directory").toAbsolutePath().normalize();
  }

  /**
   * Backups in a directory outside of every store. The first backup creates it.
   *
   * @param directory an empty directory, one that does not exist, or one with backups
   */
  public static DirectoryTarget at(Path directory) {
    return new DirectoryTarget(directory);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    refuseInsideOfStore();
    if (isUnused()) {
      DurableFiles.createDirectories(root);
      DurableFiles.write(root.resolve(BackupMarker.NAME), BackupMarker.TEXT);
      DurableFiles.forceDirectory(root);
    }
    DirectoryLock lock =
        name.equals(LOG)
            ? DirectoryLock.take(DirectoryLock.Use.LOG, root, root.resolve(LOCK + "-" + LOG))
            : DirectoryLock.take(DirectoryLock.Use.BACKUPS, root, root.resolve(LOCK));
    boolean prepared = false;
    try {
      lock.writePid();
      requireOwn(root.resolve(INCOMING));
      Path incoming = root.resolve(INCOMING).resolve(name);
      if (Files.exists(incoming)) {
        DirectoryTree.delete(incoming);
      }
      Files.createDirectories(incoming, FileModes.directory(incoming));
      prepared = true;
      return lock;
    } finally {
      if (!prepared) {
        lock.close();
      }
    }
  }

  /** Nothing is written to or deleted from elsewhere, where a link leads. */
  private static void requireOwn(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      FileModes.requireDirectory(folder);
    }
  }

  /** A store's directory belongs to that store, which deletes and renames what it likes. */
  private void refuseInsideOfStore() throws IOException {
    Path outer = StoreDirectory.storeAround(root);
    if (outer != null) {
      throw new ForeignDirectoryException(
          "The directory "
              + root
              + " for backups is inside of the store at "
              + outer
              + "; nothing was changed. Choose a directory outside of the store, best on another disk.",
          root);
    }
  }

  /**
   * Whether there are no backups yet: the directory does not exist, is empty, or its first use was
   * interrupted.
   *
   * @throws ForeignDirectoryException if it holds something else
   */
  private boolean isUnused() throws IOException {
    if (Files.notExists(root)) {
      return true;
    }
    if (!Files.isDirectory(root)) {
      throw foreign("is not a directory");
    }
    String marker = marker();
    if (marker == null) {
      try (Stream<Path> files = Files.list(root)) {
        if (files.anyMatch(file -> !file.endsWith(LOST_AND_FOUND))) {
          throw foreign("is not empty and holds no backups of Rockpool");
        }
        return true;
      }
    }
    return !BackupMarker.isWhole(marker, root.toString(), root);
  }

  private @Nullable String marker() throws IOException {
    Path file = root.resolve(BackupMarker.NAME);
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    BasicFileAttributes unused = FileModes.requireFile(file);
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BackupMarker.MAX_BYTES), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private ForeignDirectoryException foreign(String what) {
    return BackupMarker.foreign(what, root.toString(), root);
  }

  @Override
  public void put(String name, long bytes, InputStream content) throws IOException {
    Path file = root.resolve(name);
    Path folder = Objects.requireNonNull(file.getParent(), name);
    requireBackups(); // else the directory would have objects and no marker
    requireOwn(folder);
    requireOwn(root.resolve(INCOMING));
    DurableFiles.createDirectories(folder);
    String lock = folder.endsWith(LOG) ? LOG : BACKUPS;
    DurableFiles.createDirectories(root.resolve(INCOMING).resolve(lock));
    Path incoming =
        Files.createTempFile(root.resolve(INCOMING).resolve(lock), "", "", FileModes.file(root));
    Path left = incoming;
    try {
      write(incoming, content);
      Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE);
      left = file;
      DurableFiles.forceDirectory(folder);
      left = incoming;
    } finally {
      Files.deleteIfExists(left);
    }
  }

  private static void write(Path file, InputStream content) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        OutputStream out = Channels.newOutputStream(channel)) {
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        out.write(buffer, 0, read);
      }
      channel.force(true);
    }
  }

  @Override
  public InputStream get(String name) throws IOException {
    requireBackups();
    Path file = root.resolve(name);
    BasicFileAttributes unused = FileModes.requireFile(file);
    return Files.newInputStream(file);
  }

  @Override
  public Map<String, Long> list(String folder) throws IOException {
    requireBackups();
    Path listed = root.resolve(folder);
    requireOwn(listed);
    while (Files.exists(listed)) {
      try (Stream<Path> files = Files.list(listed)) {
        Map<String, Long> found = new TreeMap<>();
        for (Path file : (Iterable<Path>) files::iterator) {
          found.put(folder + file.getFileName(), Files.size(file));
        }
        return found;
      } catch (NoSuchFileException e) {
        // A file was deleted meanwhile, and one that came instead may not be in this list.
      }
    }
    return Map.of();
  }

  private void requireBackups() throws IOException {
    if (isUnused()) {
      throw BackupMarker.missing(root.toString(), root);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = root.resolve(name);
    requireOwn(Objects.requireNonNull(file.getParent(), name));
    if (Files.deleteIfExists(file)) {
      DurableFiles.forceDirectory(Objects.requireNonNull(file.getParent(), name));
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }
}

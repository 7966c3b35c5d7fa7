package io.rockpool.internal.rocksdb.natives;

import io.rockpool.error.NativeLibraryException;
import io.rockpool.internal.rocksdb.files.FileModes;
import io.rockpool.internal.rocksdb.files.Uninterrupted;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * RocksDB's native code in its jar, and the way it is copied to a directory. Any number of
 * processes may copy at the same time: a process copies under a lock, to a temporary file that gets
 * its name when it is complete. An existing copy is used if its length and checksum are right.
 *
 * <p>Code is loaded only from a directory that belongs to this user and that no other user can
 * write to.
 */
public final class NativeResource {
  /** The name that {@link RocksDB#loadLibrary(java.util.List)} looks for. */
  private static final String LIBRARY = "rocksdbjni";

  private static final String LOCK = "lock";
  private static final String PART = ".part";
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int CHUNK_BYTES = 64 << 10;

  private final URL url;
  private final long length;
  private final long crc32;

  private NativeResource(URL url, long length, long crc32) {
    this.url = url;
    this.length = length;
    this.crc32 = crc32;
  }

  public static NativeResource ofThisMachine() {
    URL url = Objects.requireNonNull(RocksDB.class.getResource("/" + nameForThisMachine()));
    try {
      return of(url);
    } catch (IOException e) {
      throw new NativeLibraryException(
          "The native code of RocksDB could not be read from " + url + ": " + e + ".", e);
    }
  }

  /**
   * The name of the resource with the native code for this machine.
   *
   * @throws NativeLibraryException if there is none
   */
  public static String nameForThisMachine() {
    try {
      String name = Environment.getJniLibraryFileName("rocksdb");
      String fallback = Environment.getFallbackJniLibraryFileName("rocksdb");
      if (RocksDB.class.getResource("/" + name) != null) {
        return name;
      }
      if (fallback != null && RocksDB.class.getResource("/" + fallback) != null) {
        return fallback;
      }
      throw none(name + " is not on the class path", null);
    } catch (UnsupportedOperationException e) { // RocksDB does not support this operating system
      throw none(String.valueOf(e.getMessage()), e);
    }
  }

  private static NativeLibraryException none(String what, @Nullable Exception cause) {
    return new NativeLibraryException(
        "RocksDB has no native code for this machine: "
            + what
            + ". Add the rocksdbjni jar that has it, or run on another platform.",
        cause);
  }

  static NativeResource of(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    if (connection instanceof JarURLConnection packed) {
      try (JarFile jar = packed.getJarFile()) {
        JarEntry entry = packed.getJarEntry();
        if (entry.getSize() >= 0 && entry.getCrc() >= 0) {
          return new NativeResource(url, entry.getSize(), entry.getCrc());
        }
      }
    }
    try (InputStream bytes = url.openStream()) {
      CRC32 checksum = new CRC32();
      long length = addAll(bytes, checksum);
      return new NativeResource(url, length, checksum.getValue());
    }
  }

  /**
   * Returns the directory below {@code parent} with copy number {@code copy}; creates it if needed.
   */
  public Path extractTo(Path parent, int copy) throws IOException {
    makePrivate(parent);
    Path directory = parent.resolve(String.format(Locale.ROOT, "rocksdb-%08x-%d", crc32, copy));
    Path file = directory.resolve(Environment.getJniLibraryFileName(LIBRARY));
    if (!isWhole(file)) {
      Uninterrupted.run(() -> extract(parent, directory, file));
    }
    return directory;
  }

  private void extract(Path parent, Path directory, Path file) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                parent.resolve(LOCK),
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE),
                FileModes.file(parent));
        FileLock lock = lock(channel)) {
      if (!isWhole(file)) {
        Files.createDirectories(directory, FileModes.directory(parent));
        copyTo(file);
      }
    }
  }

  private void copyTo(Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + PART);
    try (InputStream bytes = url.openStream()) {
      Files.copy(bytes, part, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private boolean isWhole(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) != length) {
      return false;
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      CRC32 checksum = new CRC32();
      addAll(bytes, checksum);
      return checksum.getValue() == crc32;
    }
  }

  private static long addAll(InputStream bytes, CRC32 checksum) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long length = 0;
    for (int read = bytes.read(chunk); read >= 0; read = bytes.read(chunk)) {
      checksum.update(chunk, 0, read);
      length += read;
    }
    return length;
  }

  /**
   * The lock belongs to the process; if another class loader of this process holds it, the thread
   * polls.
   */
  private static FileLock lock(FileChannel channel) throws IOException {
    while (true) {
      try {
        return channel.lock();
      } catch (OverlappingFileLockException e) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  /** Creates a directory that only this user can write to, or checks an existing one. */
  private static void makePrivate(Path directory) throws IOException {
    Files.createDirectories(directory.getParent());
    if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(directory, FileModes.directory(directory));
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("not a directory");
    }
    if (FileModes.isPosix(directory)) {
      checkPrivate(directory);
    }
  }

  private static void checkPrivate(Path directory) throws IOException {
    Set<PosixFilePermission> modes =
        Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
    if (modes.contains(PosixFilePermission.GROUP_WRITE)
        || modes.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("others may write to it");
    }
    // A new file belongs to this user, whatever the owner of the directory.
    Path own = Files.createTempFile(directory, "owner", null);
    try {
      if (!Files.getOwner(own).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))) {
        throw new IOException(
            "it belongs to " + Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
      }
    } finally {
      Files.delete(own);
    }
  }
}

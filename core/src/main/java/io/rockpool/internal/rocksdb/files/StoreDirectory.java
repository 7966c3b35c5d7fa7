package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.format.MarkerFormat;
import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's directory, locked.
 *
 * <pre>
 * ROCKPOOL            says that this is a store, and its format; there once the store has been created
 * ROCKPOOL.creating   the same, while it is being created for the first time
 * lock                locked while the store is open, and names the process by its pid
 * recovery            how far writes are known to be on the disk, see RecoveryPoint
 * caches-only         empty; there as long as the store has never held anything but caches
 * db/                 RocksDB's files
 * native/             RocksDB's native code, where no other directory can hold it
 * </pre>
 *
 * <p>A directory that holds anything, but no marker, is not looked into any further and not
 * changed. One whose first creation was cut short holds nothing that a caller was ever told to be
 * stored, and is created again.
 */
public final class StoreDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  static final String MARKER = "ROCKPOOL";
  static final String CREATING = "ROCKPOOL.creating";
  public static final String LOCK = "lock";
  public static final String RECOVERY = "recovery";
  public static final String DATABASE = "db";
  static final String NATIVE = "native";

  static final String CACHES_ONLY = "caches-only";

  private static final Set<String> PARTS =
      Set.of(MARKER, CREATING, LOCK, RECOVERY, CACHES_ONLY, DATABASE, NATIVE);

  /** What the name of a damaged store's directory gets behind it. */
  private static final DateTimeFormatter DAMAGED =
      DateTimeFormatter.ofPattern("'.damaged-'uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** More than a marker of any format needs; a larger file is none. */
  private static final int MAX_MARKER_BYTES = 4 << 10;

  private enum Content {
    NOTHING,
    HALF_CREATED,
    STORE
  }

  private final Path directory;
  private final DirectoryLock lock;
  private final boolean created;
  private final List<Object> places;

  /** Whether it has never held anything but caches; changed under the catalog's lock. */
  private boolean cachesOnly;

  /** When a file was last made or removed, as of the last time that modes were set. */
  private @Nullable FileTime restricted;

  private StoreDirectory(Path directory, DirectoryLock lock, boolean created) {
    this.directory = directory;
    this.lock = lock;
    this.created = created;
    this.places = places(directory);
    this.cachesOnly = created || Files.exists(directory.resolve(CACHES_ONLY));
  }

  /**
   * Locks the store in {@code directory}, or begins to create one.
   *
   * @throws ForeignDirectoryException if it holds something else
   * @throws FormatVersionException if the store is newer than this library
   * @throws StoreLockedException if it is in use
   * @throws StoreIoException if the file system refuses, or there is none and it is not to be
   *     created
   */
  public static StoreDirectory open(Path directory, boolean createIfMissing) {
    try {
      if (Files.exists(directory)) {
        DirectoryLock.refuseIfHeldHere(directory);
      }
      Content content = look(directory);
      if (content != Content.STORE && !createIfMissing) {
        throw new StoreIoException(
            "There is no store at " + directory + "; check the path, or allow it to be created.",
            null);
      }
      if (content == Content.NOTHING) {
        Files.createDirectories(directory, FileModes.directory(directory));
      }
      DirectoryLock lock = DirectoryLock.take(directory, directory.resolve(LOCK));
      boolean opened = false;
      try {
        // Now that no one else changes it: another process may have been as quick.
        boolean create = look(directory) != Content.STORE;
        if (create) {
          writeDurably(directory.resolve(CREATING), MarkerFormat.encode());
          makeEmpty(directory.resolve(DATABASE));
        }
        lock.writePid();
        StoreDirectory locked = new StoreDirectory(directory, lock, create);
        opened = true;
        return locked;
      } finally {
        if (!opened) {
          lock.close();
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw refused("open", directory, e);
    }
  }

  public Path path() {
    return directory;
  }

  /** Where RocksDB keeps its files. */
  public Path database() {
    return directory.resolve(DATABASE);
  }

  /** Where the native code is kept if nowhere else. */
  public Path nativeCode() {
    return directory.resolve(NATIVE);
  }

  Path recovery() {
    return directory.resolve(RECOVERY);
  }

  /** The files outside of {@link #database} that an open store has. */
  public List<Path> ownFiles() {
    return List.of(directory.resolve(MARKER), directory.resolve(LOCK), recovery());
  }

  /** Whether the store is being created by this process. */
  public boolean isNew() {
    return created;
  }

  /** Ends the creation of a new store: from now on it is one. */
  public void finishCreation() {
    if (created) {
      try {
        writeDurably(directory.resolve(CACHES_ONLY), "");
        Files.move(
            directory.resolve(CREATING), directory.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(directory);
      } catch (IOException e) {
        throw refused("create", directory, e);
      }
    }
  }

  /** From now on the store may hold collections; durable on return. */
  public void noteCollections() {
    if (cachesOnly) {
      try {
        Files.deleteIfExists(directory.resolve(CACHES_ONLY));
        forceDirectory(directory);
        cachesOnly = false;
      } catch (IOException e) {
        throw refused("change", directory, e);
      }
    }
  }

  /**
   * Renames the directory of a damaged store, whose files no one has open, so that another can
   * begin in its place. The lock stays with the renamed one, until this is closed.
   *
   * @return where it is now
   * @throws CorruptStoreException the damage, where the store may hold more than caches, or cannot
   *     be renamed
   */
  public Path setAside(InstantSource clock, CorruptStoreException damage) {
    if (!cachesOnly) {
      throw new CorruptStoreException(
          damage.getMessage()
              + " It may hold collections, so it was not set aside; if they are not needed, move the directory away.",
          damage);
    }
    Path aside = freeName(directory.getFileName() + DAMAGED.format(clock.instant()));
    try {
      Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      CorruptStoreException both =
          new CorruptStoreException(
              damage.getMessage()
                  + " It could not be set aside as "
                  + aside
                  + ": "
                  + e
                  + ". Move what is in it away; a mount point cannot be renamed, so put the store into a directory below it.",
              damage);
      both.addSuppressed(e);
      throw both;
    }
    try {
      forceDirectory(Objects.requireNonNullElse(aside.getParent(), aside));
      return aside;
    } catch (IOException e) {
      RockpoolException unforced = refused("force the renaming to " + aside + " of", directory, e);
      unforced.addSuppressed(damage);
      throw unforced;
    }
  }

  /** Such a name beside the store, or with a number behind it where there is one already. */
  private Path freeName(String name) {
    Path free = directory.resolveSibling(name);
    for (int i = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); i++) {
      free = directory.resolveSibling(name + "-" + i);
    }
    return free;
  }

  /** Sets the modes of the files that RocksDB made since the last call, if any. Not thread-safe. */
  public void restrictNewFiles() {
    try {
      FileTime changed = Files.getLastModifiedTime(database());
      if (!changed.equals(restricted)) {
        FileModes.restrictFiles(database());
        restricted = changed;
      }
    } catch (IOException | UncheckedIOException e) {
      throw refused("set the file modes in", directory, e);
    }
  }

  /** How much this process may still write to the file system that the store lies in. */
  public long usableBytes() {
    try {
      return Files.getFileStore(database()).getUsableSpace();
    } catch (IOException e) {
      throw refused("measure", directory, e);
    }
  }

  /** How long a file is; one that is no more there counts as nothing. */
  public static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the file system lets so many further files be made. */
  public boolean canMakeFiles(int count) {
    List<Path> made = new ArrayList<>();
    try {
      for (int number = 0; number < count; number++) {
        Path file = database().resolve("room-" + number);
        made.add(file);
        writeDurably(file, "?");
      }
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      made.forEach(StoreDirectory::removeIfThere);
    }
  }

  private static void removeIfThere(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("An empty file is left where it is, and does no harm.", e);
    }
  }

  /** Whether the directory is no more where it was opened, or another lies there. */
  public boolean isGone() {
    return !places.equals(places(directory));
  }

  /** What the operating system knows a store's parts by; nothing where they are not there. */
  private static List<Object> places(Path directory) {
    List<Object> places = new ArrayList<>();
    for (String part : List.of(LOCK, DATABASE)) {
      try {
        BasicFileAttributes there =
            Files.readAttributes(directory.resolve(part), BasicFileAttributes.class);
        places.add(Objects.requireNonNullElse(there.fileKey(), part));
      } catch (IOException e) {
        LOG.debug("The file system has no {} in {}.", part, directory, e);
      }
    }
    return places;
  }

  /** Gives the lock up. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw refused("unlock", directory, e);
    }
  }

  /**
   * The error for a refusal by the file system, of {@code action} ("open") on the store in {@code
   * directory}.
   */
  public static RockpoolException refused(String action, Path directory, Exception e) {
    String what = "Could not " + action + " the store at " + directory + ": " + e + ". ";
    return isNoSpace(e)
        ? new StoreFullException(what + "The disk is full; make space and try again.", e)
        : new StoreIoException(
            what + "Look at the path, its permissions and the file system under it.", e);
  }

  private static Content look(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return Content.NOTHING;
    }
    // Not Files.isDirectory, which says no where it may not look.
    if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
      throw new ForeignDirectoryException(
          directory
              + " is not a directory; it was left untouched. Choose another path for the store.");
    }
    Set<String> names = names(directory);
    if (names.contains(MARKER)) {
      checkFormat(directory, directory.resolve(MARKER));
      return Content.STORE;
    }
    if (names.isEmpty()) {
      return Content.NOTHING;
    }
    boolean begun = names.contains(CREATING) && PARTS.containsAll(names);
    boolean onlyLocked = names.equals(Set.of(LOCK)) && Files.size(directory.resolve(LOCK)) == 0;
    if (begun || onlyLocked) {
      return Content.HALF_CREATED;
    }
    throw new ForeignDirectoryException(
        "The directory "
            + directory
            + " is not empty and holds no Rockpool store; it was left untouched."
            + " Choose an empty directory, or one that does not exist yet.");
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /**
   * Makes a directory for RocksDB, without what a creation that was cut short may have left there.
   */
  private static void makeEmpty(Path database) throws IOException {
    Files.createDirectories(database, FileModes.directory(database));
    for (String left : names(database)) {
      Files.delete(database.resolve(left));
    }
  }

  private static void checkFormat(Path directory, Path marker) throws IOException {
    if (!Files.isRegularFile(marker, LinkOption.NOFOLLOW_LINKS)
        || Files.size(marker) > MAX_MARKER_BYTES) {
      throw new ForeignDirectoryException(
          marker + " is not the marker of a Rockpool store; " + directory + " was left untouched.");
    }
    OptionalInt version =
        MarkerFormat.decode(Files.readString(marker, StandardCharsets.ISO_8859_1));
    if (version.isEmpty()) {
      throw new CorruptStoreException(
          "The marker "
              + marker
              + " does not say which format the store has; restore it from a copy.",
          null);
    }
    if (version.getAsInt() > MarkerFormat.VERSION) {
      throw new FormatVersionException(
          "The store at "
              + directory
              + " has format "
              + version.getAsInt()
              + "; this library reads formats up to "
              + MarkerFormat.VERSION
              + ". Open it with the library that wrote it, or a newer one.");
    }
  }

  private static void writeDurably(Path file, String text) throws IOException {
    Uninterrupted.run(() -> writeAndForce(file, text));
  }

  private static void writeAndForce(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING),
            FileModes.file(file))) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
  }

  /** Forces to the disk which files a directory has. */
  private static void forceDirectory(Path directory) throws IOException {
    if (FileModes.isPosix(directory)) {
      Uninterrupted.run(
          () -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
              channel.force(true);
            }
          });
    }
  }

  /** Whether the operating system says that the disk is full. */
  public static boolean isNoSpace(Exception e) {
    return String.valueOf(e.getMessage()).contains("No space left on device");
  }
}

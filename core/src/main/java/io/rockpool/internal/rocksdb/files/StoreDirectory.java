package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.RockpoolException;
import io.rockpool.error.StoreFullException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.format.MarkerFormat;
import io.rockpool.internal.logging.FileErrors;
import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
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
 * ROCKPOOL            the marker and the format of the store; exists once the store has been created
 * ROCKPOOL.creating   the same, while the store is being created for the first time
 * lock                locked while the store is open; contains the pid of the process
 * recovery            how far writes are known to be on disk, see RecoveryPoint
 * journal             the newest changes, see JournalFile
 * caches-only         empty; exists as long as the store has only ever held caches
 * classes             the names of classes that the application has stored, see LearnedClasses
 * db/                 RocksDB's files
 * verified-backup     when the newest verified backup was made, see VerifiedBackupFile
 * clock               when the store was last opened or closed, see ClockFile
 * restored            empty; until a restored store is opened, see RestoredMark
 * checkpoints/        copies of the store for backups that run, see CheckpointDirectory
 * native/             RocksDB's native code, if no other directory can hold it
 * </pre>
 *
 * <p>A directory with files but no marker is neither read further nor changed. An incomplete first
 * creation holds no acknowledged write, and is started again.
 */
public final class StoreDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  public static final String MARKER = "ROCKPOOL";
  static final String CREATING = "ROCKPOOL.creating";

  /** What a new file system has in its root directory. */
  private static final String LOST_AND_FOUND = "lost+found";

  public static final String LOCK = "lock";
  public static final String RECOVERY = "recovery";
  public static final String DATABASE = "db";
  public static final String JOURNAL = "journal";
  static final String NATIVE = "native";
  public static final String CLASSES = "classes";
  static final String CHECKPOINTS = "checkpoints";
  static final String VERIFIED_BACKUP = "verified-backup";
  static final String CLOCK = "clock";
  static final String RESTORED = "restored";

  static final String CACHES_ONLY = "caches-only";

  private static final Set<String> PARTS =
      Set.of(MARKER, CREATING, LOCK, RECOVERY, CACHES_ONLY, JOURNAL, DATABASE, NATIVE, CLOCK);

  /** The parts that are files, besides the marker. */
  private static final List<String> FILES =
      List.of(
          CREATING,
          LOCK,
          RECOVERY,
          CACHES_ONLY,
          JOURNAL,
          CLASSES,
          VERIFIED_BACKUP,
          RESTORED,
          DamagedTables.NAME,
          CLOCK);

  /** The suffix of the name of a damaged store's directory. */
  private static final DateTimeFormatter DAMAGED =
      DateTimeFormatter.ofPattern("'.damaged-'uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** A marker of any format is smaller; a larger file is not a marker. */
  private static final int MAX_MARKER_BYTES = 4 << 10;

  /** So much room is ample on any disk, and this share of the disk on a small one. */
  private static final long AMPLE_BYTES = 256L << 20;

  private static final int AMPLE_SHARE = 4;

  private enum Content {
    NOTHING,
    HALF_CREATED,
    STORE
  }

  private final Path directory;
  private final DirectoryLock lock;
  private final boolean created;
  private final List<Object> places;

  /** Whether it has only ever held caches; changed under the catalog's lock. */
  private boolean cachesOnly;

  /** The modification time of RocksDB's directory when modes were last set. */
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
   * @throws StoreIoException if the file system fails, or there is no store and {@code
   *     createIfMissing} is false
   */
  public static StoreDirectory open(Path directory, boolean createIfMissing) {
    NativePaths.check(directory);
    try {
      if (Files.exists(directory)) {
        DirectoryLock.refuseIfHeldHere(directory);
      }
      Content content = look(directory, true);
      if (content != Content.STORE && !createIfMissing) {
        throw missing(directory, "check the path, or allow it to be created.");
      }
      if (content == Content.NOTHING) {
        Files.createDirectories(directory, FileModes.directory(directory));
      }
      DirectoryLock lock =
          DirectoryLock.take(DirectoryLock.Use.STORE, directory, directory.resolve(LOCK));
      boolean opened = false;
      try {
        // Check again under the lock: another process may have created the store.
        boolean create = look(directory, true) != Content.STORE;
        if (create) {
          DurableFiles.write(directory.resolve(CREATING), MarkerFormat.encode());
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

  /** Whether a directory is a store, or one that is being created. Does not check its format. */
  public static boolean isStore(Path directory) {
    return Files.exists(directory.resolve(MARKER)) || Files.exists(directory.resolve(CREATING));
  }

  /** The store that a path is in, or is; null if there is none. The path need not exist. */
  public static @Nullable Path storeAround(Path path) throws IOException {
    Path existing = path;
    while (Files.notExists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    for (Path outer = existing.toRealPath(); outer != null; outer = outer.getParent()) {
      if (isStore(outer)) {
        return outer;
      }
    }
    return null;
  }

  /** The directory of RocksDB's files. */
  public Path database() {
    return directory.resolve(DATABASE);
  }

  /** The directory of the native code, if no other directory can hold it. */
  public Path nativeCode() {
    return nativeCode(directory);
  }

  /** As {@link #nativeCode()}, of a store that is not open. */
  public static Path nativeCode(Path directory) {
    return directory.resolve(NATIVE);
  }

  Path recovery() {
    return directory.resolve(RECOVERY);
  }

  /** The files of an open store outside of {@link #database}. */
  public List<Path> ownFiles() {
    return List.of(
        directory.resolve(MARKER), directory.resolve(LOCK), recovery(), directory.resolve(JOURNAL));
  }

  /** Whether this process is creating the store. */
  public boolean isNew() {
    return created;
  }

  /** Completes the creation of a new store. */
  public void finishCreation() {
    if (created) {
      try {
        DurableFiles.write(directory.resolve(CACHES_ONLY), "");
        Files.move(
            directory.resolve(CREATING), directory.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceDirectory(directory);
      } catch (IOException e) {
        throw refused("create", directory, e);
      }
    }
  }

  /** Records that the store may hold collections from now on; durable on return. */
  public void noteCollections() {
    if (cachesOnly) {
      try {
        Files.deleteIfExists(directory.resolve(CACHES_ONLY));
        DurableFiles.forceDirectory(directory);
        cachesOnly = false;
      } catch (IOException e) {
        throw refused("change", directory, e);
      }
    }
  }

  /** Whether the store may hold collections. */
  public boolean mayHoldCollections() {
    return Files.notExists(directory.resolve(CACHES_ONLY));
  }

  /** The content of the file {@link #CLASSES}; empty if there is none. */
  public byte[] classes() {
    try {
      return Files.readAllBytes(directory.resolve(CLASSES));
    } catch (NoSuchFileException e) {
      return new byte[0];
    } catch (IOException e) {
      throw refused("read the classes of", directory, e);
    }
  }

  /**
   * Renames the directory of a damaged store, so that a new store can replace it. No file of it may
   * be open. The lock stays with the renamed directory until this is closed.
   *
   * @return its new path
   * @throws CorruptStoreException the damage, if the store may hold collections, or cannot be
   *     renamed
   */
  public Path setAside(InstantSource clock, CorruptStoreException damage) {
    if (!cachesOnly) {
      throw new CorruptStoreException(
          damage.getMessage()
              + " It may hold collections, so it was not set aside; if they are not needed, move"
              + " the directory away.",
          directory,
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
                  + FileErrors.text(e)
                  + ". Move what is in it away; a mount point cannot be renamed, so put the store"
                  + " into a directory below it.",
              directory,
              damage);
      both.addSuppressed(e);
      throw both;
    }
    try {
      DurableFiles.forceDirectory(Objects.requireNonNullElse(aside.getParent(), aside));
      return aside;
    } catch (IOException e) {
      RockpoolException unforced = refused("force the renaming to " + aside + " of", directory, e);
      unforced.addSuppressed(damage);
      throw unforced;
    }
  }

  /** The path of a sibling with this name, or with a number appended if that exists. */
  private Path freeName(String name) {
    Path free = directory.resolveSibling(name);
    for (int i = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); i++) {
      free = directory.resolveSibling(name + "-" + i);
    }
    return free;
  }

  /**
   * Sets the modes of the files that RocksDB created since the last call, if any. Not thread-safe.
   */
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

  /** The space that this process may still use in the store's file system. */
  public long usableBytes() {
    try {
      return Files.getFileStore(database()).getUsableSpace();
    } catch (IOException e) {
      throw refused("measure", directory, e);
    }
  }

  /** Whether the store can grow for some seconds without filling the disk. */
  public boolean hasAmpleRoom() {
    try {
      FileStore disk = Files.getFileStore(database());
      long enough = Math.min(AMPLE_BYTES, disk.getTotalSpace() / AMPLE_SHARE);
      return disk.getUsableSpace() >= enough;
    } catch (IOException e) {
      throw refused("measure", directory, e);
    }
  }

  /** The size of a file; 0 if it no longer exists. */
  public static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether {@code count} more files can be created. */
  public boolean canMakeFiles(int count) {
    List<Path> made = new ArrayList<>();
    try {
      for (int number = 0; number < count; number++) {
        Path file = database().resolve("room-" + number);
        made.add(file);
        DurableFiles.write(file, "?");
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

  /** Whether the directory was moved or deleted since it was opened, or replaced by another. */
  public boolean isGone() {
    return !places.equals(places(directory));
  }

  /** The file keys of a store's parts; without those that do not exist. */
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

  /** Releases the lock. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw refused("unlock", directory, e);
    }
  }

  /**
   * The exception for a failed {@code action} ("open") of the file system on the store in {@code
   * directory}.
   */
  public static RockpoolException refused(String action, Path directory, Exception e) {
    String what =
        "Could not " + action + " the store at " + directory + ": " + FileErrors.text(e) + ". ";
    return isNoSpace(e)
        ? new StoreFullException(what + "The disk is full; make space and try again.", e)
        : new StoreIoException(
            what + "Look at the path, its permissions and the file system under it.", directory, e);
  }

  /**
   * Checks that there is a store in {@code directory}. Reads only its marker.
   *
   * @throws ForeignDirectoryException if it holds something else
   * @throws FormatVersionException if the store is newer than this library
   * @throws StoreIoException if the file system fails, or there is no store
   */
  public static void checkStore(Path directory) {
    NativePaths.check(directory);
    try {
      if (look(directory, false) != Content.STORE) {
        throw missing(directory, "check the path.");
      }
    } catch (IOException | UncheckedIOException e) {
      throw refused("open", directory, e);
    }
  }

  private static StoreIoException missing(Path directory, String advice) {
    return new StoreIoException(
        "There is no store at " + directory + "; " + advice, directory, null);
  }

  private static Content look(Path directory, boolean toWrite) throws IOException {
    if (Files.notExists(directory)) {
      return Content.NOTHING;
    }
    // Not Files.isDirectory, which returns false without permission to look.
    if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
      throw new ForeignDirectoryException(
          directory
              + " is not a directory; it was left untouched. Choose another path for the store.",
          directory);
    }
    Set<String> names = new HashSet<>(names(directory));
    if (isEmptyOrPrivate(directory.resolve(LOST_AND_FOUND))) {
      names.remove(LOST_AND_FOUND);
    }
    names.remove(AbandonedDirectories.MARKER);
    for (String part : FILES) {
      if (names.contains(part)) {
        FileModes.requireFile(directory.resolve(part));
      }
    }
    if (names.contains(MARKER)) {
      checkFormat(directory, directory.resolve(MARKER), toWrite);
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
            + " Choose an empty directory, or one that does not exist yet.",
        directory);
  }

  /** Whether a directory has no files, as far as this process may know. */
  private static boolean isEmptyOrPrivate(Path directory) throws IOException {
    try {
      return Files.isDirectory(directory) && names(directory).isEmpty();
    } catch (AccessDeniedException e) {
      return true;
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** Creates RocksDB's directory, and deletes what an incomplete creation left in it. */
  private static void makeEmpty(Path database) throws IOException {
    Files.createDirectories(database, FileModes.directory(database));
    for (String left : names(database)) {
      Files.delete(database.resolve(left));
    }
  }

  private static void checkFormat(Path directory, Path marker, boolean toWrite) throws IOException {
    if (!Files.isRegularFile(marker, LinkOption.NOFOLLOW_LINKS)
        || Files.size(marker) > MAX_MARKER_BYTES) {
      throw new ForeignDirectoryException(
          marker + " is not the marker of a Rockpool store; " + directory + " was left untouched.",
          directory);
    }
    String text = Files.readString(marker, StandardCharsets.ISO_8859_1);
    OptionalInt version = MarkerFormat.decode(text);
    if (version.isEmpty()) {
      throw new CorruptStoreException(
          "The marker "
              + marker
              + " does not say which format the store has; restore it from a copy.",
          directory,
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
              + ". Open it with the library that wrote it, or a newer one.",
          directory);
    }
    List<MarkerFormat.Feature> unknown = MarkerFormat.unknown(text, toWrite);
    if (!unknown.isEmpty()) {
      throw new FormatVersionException(
          "The store at "
              + directory
              + " cannot be "
              + (toWrite ? "opened" : "read")
              + ": a newer Rockpool has written "
              + unknown.stream()
                  .map(it -> "\"" + it.word() + "\", which needs version " + it.since())
                  .collect(Collectors.joining(", and "))
              + ". Open it with that version or a newer one, or restore a backup from before.",
          directory);
    }
  }

  /** Whether the operating system reports a full disk. */
  public static boolean isNoSpace(Exception e) {
    return String.valueOf(e.getMessage()).contains("No space left on device");
  }
}

package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreIoException;
import io.rockpool.internal.format.MarkerFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of a store's files that needs nothing of the process that has the store open, and leaves
 * the store as it is. Opening the copy repeats what a process does after a kill: it replays the log
 * and the journal. So the order of copying makes it a prefix of the store's history:
 *
 * <ol>
 *   <li>The recovery point and the journal. What the journal has no longer is in the log by then.
 *   <li>Table files, as hard links, which keep files that the store deletes meanwhile.
 *   <li>The MANIFEST, which names those files, and the files that were added until then.
 *   <li>The log. All its files are opened first. The newest is copied first: an older one is
 *       complete by the time a newer one exists.
 *   <li>The list of classes.
 * </ol>
 *
 * <p>The store deletes files only after it has added to the MANIFEST. So if that has not grown by
 * the time the log is open, everything that it needs is there. Else all but the tables is copied
 * again.
 */
public final class StoreCopy {
  /** Each attempt takes far less time than the store takes to replace its files. */
  private static final int MOST_ATTEMPTS = 20;

  private static final Pattern TABLE = Pattern.compile("\\d+\\.(sst|blob)");
  private static final Pattern ANY = Pattern.compile(".*");
  private static final Pattern LOG = Pattern.compile("\\d+\\.log");

  /** What RocksDB allocates ahead for a new log and MANIFEST. */
  private static final long SPARE_BYTES = 16L << 20;

  /** Names are numbers with leading zeros. */
  private static final Comparator<Path> NEWEST_FIRST =
      Comparator.comparing((Path log) -> log.toString().length())
          .thenComparing(Comparator.naturalOrder())
          .reversed();

  private static final String IDENTITY = "IDENTITY";

  /** Where copies are kept, below the store's directory, so that links are possible. */
  public static final String COPIES = "copies";

  private final Runnable meanwhile;
  private final Path from;
  private final Path to;
  private final Path fromFiles;
  private final Path toFiles;

  private StoreCopy(Path from, Path to, Runnable meanwhile) {
    this.meanwhile = meanwhile;
    this.from = from;
    this.to = to;
    this.fromFiles = from.resolve(StoreDirectory.DATABASE);
    this.toFiles = to.resolve(StoreDirectory.DATABASE);
  }

  /**
   * Where to make copies of a store: on its file system, or in {@code otherwise} if this process
   * may not write there, or a copy has room only in {@code otherwise}.
   *
   * @throws ForeignDirectoryException if {@code store} is something else
   * @throws FormatVersionException if a newer library wrote the store
   * @throws StoreIoException if there is no store
   */
  public static Path parent(Path store, Path otherwise) {
    StoreDirectory.checkStore(store);
    Path copies = store.resolve(COPIES);
    try {
      Files.createDirectories(copies, FileModes.directory(copies));
      FileModes.requireDirectory(copies);
      return Files.isWritable(copies)
              && (hasRoom(store, copies, 0) || !hasRoom(store, otherwise, 1))
          ? copies
          : otherwise;
    } catch (IOException e) {
      return otherwise;
    }
  }

  /**
   * Whether there is room for a copy, whose log is replayed into new tables.
   *
   * @param tables how often each table is copied
   */
  private static boolean hasRoom(Path store, Path place, int tables) throws IOException {
    long bytes = SPARE_BYTES;
    for (Path file : files(store.resolve(StoreDirectory.DATABASE), ANY)) {
      boolean isTable = TABLE.matcher(file.getFileName().toString()).matches();
      bytes += StoreDirectory.size(file) * (isTable ? tables : 2);
    }
    bytes += 2 * StoreDirectory.size(store.resolve(StoreDirectory.JOURNAL));
    return Files.getFileStore(place).getUsableSpace() >= bytes;
  }

  /**
   * Copies a store. The copy has every change that was acknowledged before the call, and each later
   * change only together with all before it.
   *
   * @param from the directory of a store, open in any process or in none; only read
   * @param to an empty directory, or one with a lock file
   * @throws ForeignDirectoryException if {@code from} is something else
   * @throws FormatVersionException if a newer library wrote the store
   * @throws StoreIoException if there is no store, or the file system fails
   */
  public static void make(Path from, Path to) {
    make(from, to, () -> {});
  }

  /**
   * Copies a store.
   *
   * @param meanwhile called in each attempt after the MANIFEST was copied and before the log is
   */
  static void make(Path from, Path to, Runnable meanwhile) {
    StoreDirectory.checkStore(from);
    StoreCopy copy = new StoreCopy(from, to, meanwhile);
    try {
      for (int attempt = 1; !copy.tried(); attempt++) {
        if (attempt == MOST_ATTEMPTS) {
          ManifestFile.requireThere(from);
          throw new StoreIoException(
              "The store at " + from + " deletes files faster than they can be read; try again.",
              from,
              null);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw StoreDirectory.refused("copy", from, e);
    }
  }

  /** Copies all; returns whether the store deleted nothing meanwhile. */
  private boolean tried() throws IOException {
    Files.createDirectories(toFiles, FileModes.directory(toFiles));
    try {
      copyIfThere(StoreDirectory.RECOVERY);
      copyIfThere(StoreDirectory.JOURNAL);
      linkTables();
      String current = ManifestFile.current(from);
      Path manifest = copyManifest(current);
      meanwhile.run();
      linkTables();
      try (OpenLog log = OpenLog.of(fromFiles)) {
        if (!ManifestFile.current(from).equals(current)
            || Files.size(fromFiles.resolve(manifest)) != Files.size(toFiles.resolve(manifest))) {
          return false;
        }
        log.copyTo(toFiles);
      }
      copyIfThere(StoreDirectory.CLASSES);
      copyIfThere(DamagedTables.NAME);
      copyIfThere(StoreDirectory.VERIFIED_BACKUP);
      // Last, so that an incomplete copy is no store.
      String marker = Files.readString(from.resolve(StoreDirectory.MARKER));
      DurableFiles.write(to.resolve(StoreDirectory.MARKER), MarkerFormat.ofCopy(marker));
      return true;
    } catch (NoSuchFileException e) {
      StoreDirectory.checkStore(from);
      return false;
    }
  }

  /** Copies the MANIFEST that {@code current} names; returns its name. */
  private Path copyManifest(String current) throws IOException {
    Path name = ManifestFile.named(current, from);
    copy(fromFiles.resolve(name), toFiles.resolve(name));
    Files.writeString(toFiles.resolve(ManifestFile.CURRENT), current);
    if (Files.exists(fromFiles.resolve(IDENTITY))) {
      copy(fromFiles.resolve(IDENTITY), toFiles.resolve(IDENTITY));
    }
    return name;
  }

  private void linkTables() throws IOException {
    for (Path file : files(fromFiles, TABLE)) {
      Path copy = toFiles.resolve(file.getFileName());
      if (Files.notExists(copy)) {
        link(file, copy);
      }
    }
  }

  /** A link, or a copy where the file system or another owner of the file forbids a link. */
  private static void link(Path file, Path copy) throws IOException {
    BasicFileAttributes unused = FileModes.requireFile(file);
    try {
      Files.createLink(copy, file);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      copy(file, copy);
    }
  }

  private void copyIfThere(String name) throws IOException {
    if (Files.exists(from.resolve(name))) {
      copy(from.resolve(name), to.resolve(name));
    }
  }

  /** Copies the bytes, with the modes of a store's own files. */
  private static void copy(Path file, Path copy) throws IOException {
    BasicFileAttributes unused = FileModes.requireFile(file);
    Files.deleteIfExists(copy);
    FileModes.createFile(copy);
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
  }

  private static List<Path> files(Path directory, Pattern name) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> name.matcher(file.getFileName().toString()).matches()).toList();
    }
  }

  /** The files of the log, open, the newest first; so they can be read after they are deleted. */
  private record OpenLog(Map<Path, InputStream> files) implements AutoCloseable {
    static OpenLog of(Path directory) throws IOException {
      OpenLog log = new OpenLog(new TreeMap<>(NEWEST_FIRST));
      try {
        for (Path file : StoreCopy.files(directory, LOG)) {
          BasicFileAttributes unused = FileModes.requireFile(file);
          log.files.put(file.getFileName(), Files.newInputStream(file));
        }
        return log;
      } catch (IOException | RuntimeException e) {
        log.close();
        throw e;
      }
    }

    void copyTo(Path directory) throws IOException {
      for (Map.Entry<Path, InputStream> file : files.entrySet()) {
        Files.copy(file.getValue(), directory.resolve(file.getKey()));
      }
    }

    @Override
    public void close() throws IOException {
      for (InputStream file : files.values()) {
        file.close();
      }
    }
  }
}

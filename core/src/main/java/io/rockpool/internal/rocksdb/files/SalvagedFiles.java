package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.StoreIoException;
import io.rockpool.error.StoreLockedException;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.internal.logging.FileErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a damaged store, which are only read, and databases made of some of them. */
public final class SalvagedFiles {
  private static final Pattern NUMBERED = Pattern.compile("(\\d{1,18})\\.(sst|blob|log)");

  /** The bytes of a file of large values besides its records. */
  private static final long BLOB_FRAME_BYTES = 30 + 32;

  private static final int BLOCK_BYTES = 32 << 10;

  private final Path store;
  private final Path work;
  private final Map<Long, Path> tables = new TreeMap<>();
  private final Map<Long, Path> blobs = new TreeMap<>();
  private final Map<Long, Path> logs = new TreeMap<>();
  private int views;

  /**
   * Finds the files of a store.
   *
   * @param store its directory; its marker may be missing
   * @param work an empty directory, best on the same file system
   */
  public SalvagedFiles(Path store, Path work) throws IOException {
    this.store = store;
    this.work = work;
    Path database = store.resolve(StoreDirectory.DATABASE);
    if (!Files.isDirectory(database)) {
      throw new ForeignDirectoryException(
          store + " holds no files of a Rockpool store; check the path.", store);
    }
    if (Files.isRegularFile(store.resolve(StoreDirectory.MARKER))) {
      try {
        StoreDirectory.checkStore(store);
      } catch (io.rockpool.error.CorruptStoreException e) {
        // The marker is damaged; the files say what they are.
      }
    }
    refuseOpenStore();
    try (Stream<Path> all = Files.list(database)) {
      all.forEach(
          file -> {
            Matcher name = NUMBERED.matcher(file.getFileName().toString());
            if (name.matches()) {
              Map<Long, Path> kind =
                  name.group(2).equals("sst") ? tables : name.group(2).equals("log") ? logs : blobs;
              kind.put(Long.parseLong(name.group(1)), file);
            }
          });
    }
  }

  private void refuseOpenStore() throws IOException {
    DirectoryLock.refuseIfHeldHere(store);
    Path lock = store.resolve(StoreDirectory.LOCK);
    if (Files.notExists(lock, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes unused = FileModes.requireFile(lock);
    if (!Files.isReadable(lock)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.READ);
        FileLock free = channel.tryLock(0, Long.MAX_VALUE, /* shared= */ true)) {
      if (free == null) {
        throw new StoreLockedException(
            "The store at "
                + store
                + " is in use by the process with pid "
                + Files.readString(lock, StandardCharsets.ISO_8859_1).strip()
                + "; end it first.",
            store,
            null);
      }
    }
  }

  /** The directory of the store. */
  public Path store() {
    return store;
  }

  /** The tables by number. */
  public Map<Long, Path> tables() {
    return tables;
  }

  /** The path of a table. */
  public Path table(long number) {
    return store
        .resolve(StoreDirectory.DATABASE)
        .resolve(String.format(Locale.ROOT, "%06d.sst", number));
  }

  /** The recovery point, or null if it is missing or damaged. */
  public @Nullable RecoveryPoint recoveryPoint() throws IOException {
    Path file = store.resolve(StoreDirectory.RECOVERY);
    return Files.isRegularFile(file) ? RecoveryPoint.decode(Files.readAllBytes(file)) : null;
  }

  /**
   * What the newest MANIFEST says; not whole if it is missing, damaged, or older than the point.
   */
  public LiveTables liveTables(@Nullable RecoveryPoint point) throws IOException {
    Path database = store.resolve(StoreDirectory.DATABASE);
    Path newest;
    try (Stream<Path> all = Files.list(database)) {
      newest =
          all.filter(file -> file.getFileName().toString().matches("MANIFEST-\\d{1,18}"))
              .max(Comparator.comparingLong(SalvagedFiles::manifestNumber))
              .orElse(null);
    }
    if (newest == null) {
      return new LiveTables(Map.of(), 0, false);
    }
    LiveTables live = LiveTables.read(newest);
    long number = manifestNumber(newest);
    boolean isShort =
        point != null
            && (number < point.manifest()
                || (number == point.manifest() && Files.size(newest) < point.manifestBytes()));
    return isShort ? new LiveTables(live.tables(), live.lastSequence(), false) : live;
  }

  private static long manifestNumber(Path file) {
    return Long.parseLong(file.getFileName().toString().substring("MANIFEST-".length()));
  }

  /**
   * Makes a database.
   *
   * @param families the names of the column families, by id
   * @param used the tables in it and the ids of their column families
   * @param blobFamily the family of the files of large values
   */
  public Path view(List<String> families, Map<Long, Integer> used, int blobFamily)
      throws IOException {
    Path view = work.resolve("view-" + views++);
    Files.createDirectories(view, FileModes.directory(view));
    Map<Long, Long> sizes = new HashMap<>();
    long next = 0;
    for (long number : used.keySet()) {
      Path table = table(number);
      sizes.put(number, Files.size(table));
      link(table, view);
      next = Math.max(next, number);
    }
    Map<Long, Long> blobBytes = new TreeMap<>();
    for (Map.Entry<Long, Path> blob : blobs.entrySet()) {
      blobBytes.put(blob.getKey(), Math.max(0, Files.size(blob.getValue()) - BLOB_FRAME_BYTES));
      link(blob.getValue(), view);
      next = Math.max(next, blob.getKey());
    }
    for (Map.Entry<Long, Path> log : logs.entrySet()) {
      // RocksDB may cut it.
      Files.copy(log.getValue(), view.resolve(log.getValue().getFileName()));
      next = Math.max(next, log.getKey());
    }
    LiveTables.write(view, families, used, sizes, blobBytes, blobFamily, next + 1);
    return view;
  }

  private static void link(Path file, Path view) throws IOException {
    Path target = view.resolve(file.getFileName());
    try {
      Files.createLink(target, file);
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.copy(file, target);
    }
  }

  /** Deletes a database that was made. */
  public void removeView(Path view) throws IOException {
    DirectoryTree.delete(view);
  }

  /** Whether a file of the log has damaged bytes before its end. */
  public boolean hasDamagedLog() {
    for (Path log : logs.values()) {
      try {
        if (isDamaged(Files.readAllBytes(log))) {
          return true;
        }
      } catch (IOException e) {
        throw new StoreIoException("Could not read " + log + ": " + FileErrors.text(e), store, e);
      }
    }
    return false;
  }

  private static boolean isDamaged(byte[] log) {
    int at = 0;
    while (log.length - at >= 7) {
      int left = BLOCK_BYTES - at % BLOCK_BYTES;
      if (left < 7) {
        at += left;
        continue;
      }
      int type = log[at + 6];
      int end = at + 7 + ((log[at + 4] & 0xFF) | ((log[at + 5] & 0xFF) << 8));
      if (type == 0) {
        return false; // reserved space at the end
      }
      if (end > log.length || !MaskedChecksum.isAt(at, log, at + 6, end)) {
        return true;
      }
      at = end;
    }
    return false;
  }
}

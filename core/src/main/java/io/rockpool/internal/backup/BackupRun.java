package io.rockpool.internal.backup;

import io.rockpool.backup.BackedUpName;
import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.internal.format.MarkerFormat;
import io.rockpool.internal.logging.LoggerNames;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import io.rockpool.internal.rocksdb.files.StoreIdentity;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one backup, under the lock of its target. Files are stored first, each under its checksum
 * and at most once, and then the manifest. So a backup is there as a whole or not at all, and one
 * that was interrupted leaves files that the next one need not store.
 */
public final class BackupRun implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** Files that RocksDB never changes. */
  private static final List<String> UNCHANGING = List.of(".sst", ".blob");

  /** A file that the target has is read again, here and there, in one of so many backups. */
  private static final int RECHECK_PERIOD = 16;

  private final TargetObjects target;
  private final BackupList list;
  private final Closeable lock;

  private BackupRun(TargetObjects target) {
    this.target = target;
    this.list = new BackupList(target);
    this.lock = target.lock(BackupTarget.BACKUPS);
  }

  /**
   * What is backed up.
   *
   * @param files a directory of files that do not change
   * @param store the directory of the store
   * @param sequence the number of its last change
   * @param created before the files were written
   * @param until when the last change was made, at the latest
   * @param storeId see {@link StoreIdentity}
   * @param timeline of the store, see {@link SegmentName}
   */
  public record Source(
      Path files,
      Path store,
      long sequence,
      Instant created,
      Instant until,
      String storeId,
      String timeline,
      List<BackedUpName> names) {}

  /** Locks a target. */
  public static BackupRun begin(BackupTarget target) {
    return new BackupRun(new TargetObjects(target));
  }

  /**
   * Makes the backup, and deletes those that are not to be kept.
   *
   * @param check throws if it must not continue; called often
   */
  public BackupInfo run(Source source, BackupOptions options, Runnable check) {
    List<BackupList.Named> names = list.names();
    long number = names.isEmpty() ? 1 : names.get(names.size() - 1).number() + 1;
    try {
      Manifest last = newest(names);
      if (last != null) {
        requireSame(last, source, options);
      }
      Manifest manifest = store(number, last, source, options, check);
      list.add(manifest);
      if (options.keep() < Integer.MAX_VALUE) {
        new Retention(target).keep(options.keep());
      }
      return manifest.info();
    } catch (ClosedByInterruptException e) {
      throw Transfer.stopped(e);
    } catch (IOException e) {
      check.run();
      throw StoreDirectory.refused("back up", source.store(), e);
    } catch (RuntimeException e) {
      // If the store was closed, its files are gone, and that is not the reason to report.
      check.run();
      throw e;
    }
  }

  /** The newest readable backup, or null. */
  private @Nullable Manifest newest(List<BackupList.Named> names) {
    for (int i = names.size() - 1; i >= 0; i--) {
      try {
        return list.read(names.get(i));
      } catch (CorruptStoreException e) {
        LOG.error("A backup cannot be used; the next one is made without it.", e);
      }
    }
    return null;
  }

  /** Two stores in one target would delete each other's backups, and restore each other's data. */
  private void requireSame(Manifest last, Source source, BackupOptions options) {
    boolean isOther =
        !last.storeId().isEmpty()
            && !source.storeId().isEmpty()
            && !last.storeId().equals(source.storeId());
    if (isOther && !options.takeOver()) {
      throw new ForeignDirectoryException(
          "The store at "
              + source.store()
              + " was not backed up: "
              + target
              + " has backups of another store, the newest of the one at "
              + last.info().store()
              + ". Give each store a target of its own, or take this one over with"
              + " BackupOptions.takeOver (--take-over).",
          source.store());
    }
  }

  private Manifest store(
      long number, @Nullable Manifest last, Source source, BackupOptions options, Runnable check)
      throws IOException {
    List<Path> paths = paths(source.files());
    long allBytes = 0;
    for (Path path : paths) {
      allBytes += Files.size(path);
    }
    Transfer transfer = new Transfer(options, check, paths.size(), allBytes);
    Map<String, Long> stored = new HashMap<>(target.list(StoredFile.FOLDER));
    Map<String, StoredFile> before = filesOf(last);
    List<StoredFile> files = new ArrayList<>();
    long addedBytes = 0;
    for (Path path : paths) {
      StoredFile file = identify(source, path, before, number, options, transfer);
      boolean isThere = Long.valueOf(file.bytes()).equals(stored.put(file.object(), file.bytes()));
      if (!isThere || (isRechecked(file, number, options) && !isSound(file, transfer))) {
        put(source, path, file, transfer);
        addedBytes += file.bytes();
      }
      files.add(file);
      transfer.done(file.bytes());
    }
    BackupInfo info =
        new BackupInfo(
            number,
            source.created(),
            source.store().toString(),
            MarkerFormat.VERSION,
            source.sequence(),
            files.size(),
            allBytes,
            addedBytes,
            source.names());
    return new Manifest(info, source.storeId(), source.timeline(), source.until(), files);
  }

  private static List<Path> paths(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> Files.isRegularFile(file)).sorted().toList();
    }
  }

  private static Map<String, StoredFile> filesOf(@Nullable Manifest last) {
    Map<String, StoredFile> files = new HashMap<>();
    if (last != null) {
      last.files().forEach(file -> files.put(file.path(), file));
    }
    return files;
  }

  private static StoredFile identify(
      Source source,
      Path path,
      Map<String, StoredFile> before,
      long number,
      BackupOptions options,
      Transfer transfer)
      throws IOException {
    String name = source.files().relativize(path).toString().replace('\\', '/');
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    String stamp = stamp(name, attributes);
    StoredFile known = before.get(name);
    boolean isSame = known != null && known.isSame(name, attributes.size(), stamp);
    if (known != null && isSame && !isRechecked(known, number, options)) {
      return known;
    }
    String sha256;
    try (InputStream in = Files.newInputStream(path)) {
      sha256 = transfer.sha256(in);
    }
    if (known != null && isSame && !known.sha256().equals(sha256)) {
      throw damaged(source, name, "has another SHA-256 than in the backup before");
    }
    return new StoredFile(name, attributes.size(), sha256, stamp);
  }

  /** What differs between two files of one name: when it was written, and where it is. */
  private static String stamp(String name, BasicFileAttributes attributes) {
    Object key = attributes.fileKey();
    return key == null || UNCHANGING.stream().noneMatch(name::endsWith)
        ? ""
        : attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + key;
  }

  private static boolean isRechecked(StoredFile file, long number, BackupOptions options) {
    return options.recheck()
        || Math.floorMod(file.sha256().hashCode() + number, RECHECK_PERIOD) == 0;
  }

  /** Whether the target's object of a file has its content. */
  private boolean isSound(StoredFile file, Transfer transfer) {
    String found =
        target.access(
            "read from",
            () -> {
              try (InputStream in = target.get(file.object())) {
                return transfer.sha256(in);
              }
            });
    boolean sound = found.equals(file.sha256());
    if (!sound) {
      LOG.error("The object {} of the backups in {} is damaged; it is replaced.", file, target);
    }
    return sound;
  }

  private void put(Source source, Path path, StoredFile file, Transfer transfer)
      throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      target.put(
          file.object(),
          file.bytes(),
          transfer.checked(in, file, what -> damaged(source, file.path(), what)));
    }
  }

  private static CorruptStoreException damaged(Source source, String name, String what) {
    return new CorruptStoreException(
        "The file "
            + name
            + " of the store at "
            + source.store()
            + " "
            + what
            + ": its disk has changed it. No backup was made. Verify the store, and restore an earlier backup if needed.",
        source.store(),
        null);
  }

  @Override
  public void close() {
    target.unlock(lock);
  }
}

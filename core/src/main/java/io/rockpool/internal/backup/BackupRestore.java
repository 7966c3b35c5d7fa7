package io.rockpool.internal.backup;

import io.rockpool.backup.BackupInfo;
import io.rockpool.backup.BackupOptions;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.RestoredMoment;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.internal.concurrent.EveryStep;
import io.rockpool.internal.format.MarkerFormat;
import io.rockpool.internal.rocksdb.files.BackupMarker;
import io.rockpool.internal.rocksdb.files.DirectoryTree;
import io.rockpool.internal.rocksdb.files.DurableFiles;
import io.rockpool.internal.rocksdb.files.FileModes;
import io.rockpool.internal.rocksdb.files.NativePaths;
import io.rockpool.internal.rocksdb.files.RestoredMark;
import io.rockpool.internal.rocksdb.files.StoreDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes a store of a backup. The marker is written last, so a directory in which this was
 * interrupted is no store.
 */
public final class BackupRestore {
  /** The marker until all other files are there. */
  private static final String RESTORING = StoreDirectory.MARKER + ".restoring";

  private final BackupOptions options;
  private final TargetObjects target;
  private final Path directory;

  /** Adds what was shipped after the backup. */
  private Consumer<Transfer> log = transfer -> {};

  private BackupRestore(BackupTarget target, Path directory, BackupOptions options) {
    this.options = options;
    this.target = new TargetObjects(target);
    this.directory = directory.toAbsolutePath().normalize();
  }

  /** Restores the newest backup; see {@code StoreBackups.restore}. */
  public static BackupInfo newest(BackupTarget target, Path directory, BackupOptions options) {
    BackupRestore restore = new BackupRestore(target, directory, options);
    return restore.run(new BackupList(restore.target).newest());
  }

  /** Restores one backup; see {@code StoreBackups.restore}. */
  public static BackupInfo numbered(
      BackupTarget target, long number, Path directory, BackupOptions options) {
    BackupRestore restore = new BackupRestore(target, directory, options);
    return restore.run(new BackupList(restore.target).numbered(number));
  }

  /** Restores a point in time; see {@code StoreBackups.restore}. */
  public static RestoredMoment at(
      BackupTarget target, Instant moment, Path directory, BackupOptions options) {
    BackupRestore restore = new BackupRestore(target, directory, options);
    LogHistory.Stretch from = new LogHistory(restore.target).leadingTo(moment);
    Manifest backup = from.backup();
    LogMark start = new LogMark(backup.info().sequence(), backup.until().toEpochMilli());
    LogMark[] end = {start};
    if (!from.segments().isEmpty()) {
      restore.log =
          transfer -> {
            MomentReplay replay = new MomentReplay(restore.target, restore.directory);
            end[0] = replay.run(start, from.segments(), moment, transfer::check);
          };
    }
    BackupInfo info = restore.run(backup);
    return new RestoredMoment(Instant.ofEpochMilli(end[0].millis()), end[0].sequence(), info);
  }

  private BackupInfo run(Manifest manifest) {
    if (manifest.info().storeFormat() > MarkerFormat.VERSION) {
      throw new FormatVersionException(
          "The backup "
              + manifest.info().number()
              + " in "
              + target
              + " is of a store of format "
              + manifest.info().storeFormat()
              + "; this library reads formats up to "
              + MarkerFormat.VERSION
              + ". Restore it with a newer library.",
          directory);
    }
    try {
      boolean created = prepare();
      try {
        write(manifest);
      } catch (IOException | RuntimeException | Error e) {
        new EveryStep().take(() -> undo(created)).addTo(e);
        throw e;
      }
    } catch (IOException | UncheckedIOException e) {
      throw refused(e);
    }
    return manifest.info();
  }

  /** Creates the directory; returns whether there was none. */
  private boolean prepare() throws IOException {
    NativePaths.check(directory);
    Path outer = StoreDirectory.storeAround(directory);
    if (outer != null && !directory.equals(outer)) {
      throw new ForeignDirectoryException(
          "The directory "
              + directory
              + " to restore to is inside of the store at "
              + outer
              + "; nothing was changed. Choose a directory outside of the store.",
          directory);
    }
    for (Path above = directory.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above.resolve(BackupMarker.NAME))) {
        throw new ForeignDirectoryException(
            "The directory "
                + directory
                + " to restore to is inside of the backups in "
                + above
                + "; nothing was changed. Choose a directory outside of them.",
            directory);
      }
    }
    if (Files.notExists(directory)) {
      DurableFiles.createDirectories(directory);
      return true;
    }
    if (!Files.isDirectory(directory) || !content().isEmpty()) {
      throw new ForeignDirectoryException(
          "The directory "
              + directory
              + " to restore to is not empty; it was left untouched. Choose an empty directory, or"
              + " one that does not exist yet.",
          directory);
    }
    return false;
  }

  private List<Path> content() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private void write(Manifest manifest) throws IOException {
    Transfer transfer =
        new Transfer(options, () -> {}, manifest.files().size(), manifest.info().bytes());
    for (StoredFile file : manifest.files()) {
      String path = file.path().equals(StoreDirectory.MARKER) ? RESTORING : file.path();
      Path to = directory.resolve(path);
      DurableFiles.createDirectories(Objects.requireNonNull(to.getParent(), path));
      write(file, to, transfer);
      transfer.done(file.bytes());
    }
    log.accept(transfer);
    RestoredMark.write(directory);
    for (Path each : content()) {
      if (Files.isDirectory(each)) {
        DurableFiles.forceDirectory(each);
      }
    }
    DurableFiles.forceDirectory(directory);
    Files.move(
        directory.resolve(RESTORING),
        directory.resolve(StoreDirectory.MARKER),
        StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.forceDirectory(directory);
  }

  private void write(StoredFile file, Path to, Transfer transfer) throws IOException {
    try (InputStream object = target.get(file.object());
        InputStream in =
            transfer.checked(object, file, what -> target.damaged(file.object(), what));
        FileChannel out =
            FileChannel.open(
                to,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                FileModes.file(to))) {
      byte[] buffer = new byte[Transfer.BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      }
      out.force(true);
    }
  }

  private void undo(boolean created) {
    try {
      if (created) {
        DirectoryTree.delete(directory);
      } else {
        for (Path each : content()) {
          DirectoryTree.delete(each);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RuntimeException refused(Exception e) {
    if (Thread.currentThread().isInterrupted()) {
      return Transfer.stopped(e);
    }
    return StoreDirectory.refused("restore", directory, e);
  }
}

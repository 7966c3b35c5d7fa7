package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the write-ahead log as the file system has them, for when RocksDB is not to be asked
 * for anything.
 *
 * @param store the directory of the store, for messages
 * @param files where they lie
 */
public record LogFiles(Path store, Path files) {
  private static final Pattern NAME = Pattern.compile("\\d+\\.log");

  /** How long they are, together; one that vanishes meanwhile counts as nothing. */
  public long bytes() {
    try {
      long bytes = 0;
      for (Path file : all()) {
        bytes += StoreDirectory.size(file);
      }
      return bytes;
    } catch (UncheckedIOException e) {
      throw StoreDirectory.refused("measure the log of", store, e);
    }
  }

  /**
   * Forces to the disk what was written to them, also on a thread that is interrupted.
   *
   * @throws IOException if that is not known to be there: calling again would not find out
   */
  public void force() throws IOException {
    Uninterrupted.run(this::forceAll);
  }

  private void forceAll() throws IOException {
    for (Path file : all()) {
      force(file, StandardOpenOption.WRITE);
    }
    if (FileModes.isPosix(files)) {
      force(files, StandardOpenOption.READ);
    }
  }

  private void force(Path file, StandardOpenOption how) throws IOException {
    try (FileChannel channel = open(file, how)) {
      if (channel != null) {
        channel.force(true);
      }
    }
  }

  /** The file, or null where what was in it is in others by now, which were forced before. */
  private @Nullable FileChannel open(Path file, StandardOpenOption how) {
    try {
      return FileChannel.open(file, how);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw StoreDirectory.refused("force to the disk", store, e);
    }
  }

  private List<Path> all() {
    try (Stream<Path> names = Files.list(files)) {
      return names.filter(file -> NAME.matcher(file.getFileName().toString()).matches()).toList();
    } catch (IOException | UncheckedIOException e) {
      throw StoreDirectory.refused("list the log of", store, e);
    }
  }
}

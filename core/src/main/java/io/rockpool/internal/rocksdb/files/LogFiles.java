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
 * The files of the write-ahead log, read from the file system without RocksDB.
 *
 * @param store the directory of the store, for messages
 * @param files the directory that contains them
 */
public record LogFiles(Path store, Path files) {
  private static final Pattern NAME = Pattern.compile("\\d+\\.log");

  /** Their total size; a file deleted during the call counts as zero. */
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
   * Forces their content to disk, even on an interrupted thread.
   *
   * @throws IOException if the content may not be on disk; calling again cannot find out
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

  /**
   * Opens a file; null if it was deleted: its records are then in other files that were forced
   * before.
   */
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

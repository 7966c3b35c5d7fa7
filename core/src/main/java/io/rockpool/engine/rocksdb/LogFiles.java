package io.rockpool.engine.rocksdb;

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

/**
 * The files of the write-ahead log as the file system has them, for when RocksDB is not to be asked
 * for anything.
 *
 * @param store the directory of the store, for messages
 * @param files where they lie
 */
record LogFiles(Path store, Path files) {
  private static final Pattern NAME = Pattern.compile("(\\d+)\\.log");

  /** The number of the newest, which grows with each that is begun; 0 where there is none. */
  long newest() {
    return all().stream()
        .map(file -> NAME.matcher(file.getFileName().toString()))
        .mapToLong(name -> name.matches() ? Long.parseLong(name.group(1)) : 0)
        .max()
        .orElse(0);
  }

  /** How long they are, together. */
  long bytes() {
    try {
      long bytes = 0;
      for (Path file : all()) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException e) {
      throw StoreDirectory.refused("measure the log of", store, e);
    }
  }

  /** Forces to the disk what was written to them. */
  void force() {
    try {
      for (Path file : all()) {
        force(file);
      }
      StoreDirectory.forceDirectory(files);
    } catch (IOException e) {
      throw StoreDirectory.refused("force to the disk", store, e);
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (NoSuchFileException e) {
      // What was in it is in other files by now, which were forced before it went.
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

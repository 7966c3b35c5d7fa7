package io.rockpool.internal.rocksdb.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The empty file {@code restored} of a store that was restored and not opened since. The first
 * opening tells the readers of change feeds that changes may be missing, and deletes the file.
 */
public final class RestoredMark {
  private RestoredMark() {}

  /** Creates the file, durable once the directory is forced. */
  public static void write(Path directory) throws IOException {
    DurableFiles.write(file(directory), "");
  }

  /** Whether a store was restored and not opened since. */
  public static boolean isIn(Path directory) {
    return Files.exists(file(directory));
  }

  /** Deletes the file; durable on return. */
  public static void delete(Path directory) {
    try {
      Files.deleteIfExists(file(directory));
      DurableFiles.forceDirectory(directory);
    } catch (IOException e) {
      throw StoreDirectory.refused("open", directory, e);
    }
  }

  private static Path file(Path directory) {
    return directory.resolve(StoreDirectory.RESTORED);
  }
}

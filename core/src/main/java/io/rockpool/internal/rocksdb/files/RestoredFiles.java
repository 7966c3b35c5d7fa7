package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.format.RecoveryPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of a store that is being restored, after changes were added to its database. */
public final class RestoredFiles {
  private RestoredFiles() {}

  /** The directory of the database. */
  public static Path database(Path directory) {
    return directory.resolve(StoreDirectory.DATABASE);
  }

  /**
   * Makes the other files those of a store that was closed after the last change. Durable once the
   * directories are forced.
   *
   * @param sequence the number of the last change
   * @param classes the names of the classes of all values, or null if no names were added
   * @param mayHoldCollections whether the changes may be of collections
   */
  public static void complete(
      Path directory, long sequence, byte @Nullable [] classes, boolean mayHoldCollections) {
    try {
      write(
          directory.resolve(StoreDirectory.RECOVERY),
          new RecoveryPoint(true, sequence, 0, 0).encode());
      Path names = directory.resolve(StoreDirectory.CLASSES);
      // A backup may have more names than the log before it.
      if (classes != null && classes.length > StoreDirectory.size(names)) {
        write(names, classes);
      }
      if (mayHoldCollections) {
        Files.deleteIfExists(directory.resolve(StoreDirectory.CACHES_ONLY));
      }
      FileModes.restrictFiles(database(directory));
    } catch (IOException e) {
      throw StoreDirectory.refused("restore", directory, e);
    }
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            FileModes.file(file))) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.force(true);
    }
  }
}

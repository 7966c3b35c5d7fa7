package io.rockpool.internal.rocksdb.files;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.format.RecoveryPoint;
import io.rockpool.store.RecoveryReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file with a store's {@link RecoveryPoint}, overwritten in place. Not a channel, which an
 * interrupt would close. Not thread-safe.
 */
public final class RecoveryFile implements AutoCloseable {
  private final Path directory;
  private final RandomAccessFile file;

  private RecoveryFile(Path directory, RandomAccessFile file) {
    this.directory = directory;
    this.file = file;
  }

  public static RecoveryFile open(StoreDirectory directory) {
    Path file = directory.recovery();
    try {
      FileModes.createFile(file);
      return new RecoveryFile(directory.path(), new RandomAccessFile(file.toFile(), "rw"));
    } catch (IOException e) {
      throw StoreDirectory.refused("open", directory.path(), e);
    }
  }

  /** The point in the file, or null if it holds none. */
  public @Nullable RecoveryPoint read() {
    try {
      byte[] bytes = new byte[(int) Math.min(file.length(), RecoveryPoint.BYTES + 1)];
      file.seek(0);
      file.readFully(bytes);
      return RecoveryPoint.decode(bytes);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it survives the death of the process. */
  public void write(RecoveryPoint point) {
    try {
      file.seek(0);
      file.write(point.encode());
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it also survives a power loss. */
  public void writeDurably(RecoveryPoint point) {
    write(point);
    try {
      file.setLength(RecoveryPoint.BYTES);
      file.getFD().sync();
    } catch (IOException e) {
      throw refused(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private RockpoolException refused(IOException e) {
    return StoreDirectory.refused("keep the recovery point of", directory, e);
  }

  /**
   * Compares the recorded point, or null, with the last change in the database.
   *
   * @param hadJournal whether there was a journal to replay
   */
  public static RecoveryReport report(
      @Nullable RecoveryPoint point, long latestSequence, boolean hadJournal) {
    if (point == null) {
      return new RecoveryReport(
          false,
          0,
          "The store's recovery point is missing or damaged, so it is not known whether it lost anything.");
    }
    long lost = Math.max(0, point.sequence() - latestSequence);
    String before = point.closed() ? "The store was closed" : "The store was not closed";
    if (lost > 0) {
      return new RecoveryReport(
          false,
          lost,
          before
              + ", and at least "
              + lost
              + " changes that had been forced to the disk are gone:"
              + " its log was cut, damaged or deleted. Restore a copy if you need them.");
    }
    if (!point.closed() && !hadJournal) {
      return new RecoveryReport(
          false,
          0,
          before
              + ", and its journal is missing: the changes of its last moment may be lost."
              + " Restore a copy if you need them.");
    }
    if (point.closed() && latestSequence > point.sequence()) {
      return new RecoveryReport(
          false,
          0,
          before + ", and something else has written to it since; nothing is known to be lost.");
    }
    return new RecoveryReport(
        point.closed(),
        0,
        before
            + (point.closed()
                ? ", and holds what it held then."
                : "; nothing that was forced to the disk is lost."));
  }
}

package io.rockpool.engine.rocksdb;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.format.RecoveryPoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file with a store's {@link RecoveryPoint}, which is written over in place. Not a channel,
 * which an interrupt would close. Not thread-safe.
 */
final class RecoveryFile implements AutoCloseable {
  private final Path directory;
  private final RandomAccessFile file;

  private RecoveryFile(Path directory, RandomAccessFile file) {
    this.directory = directory;
    this.file = file;
  }

  static RecoveryFile open(StoreDirectory directory) {
    Path file = directory.recovery();
    try {
      FileModes.createFile(file);
      return new RecoveryFile(directory.path(), new RandomAccessFile(file.toFile(), "rw"));
    } catch (IOException e) {
      throw StoreDirectory.refused("open", directory.path(), e);
    }
  }

  /** The point in the file, or null if it holds none. */
  @Nullable RecoveryPoint read() {
    try {
      byte[] bytes = new byte[(int) Math.min(file.length(), RecoveryPoint.BYTES + 1)];
      file.seek(0);
      file.readFully(bytes);
      return RecoveryPoint.decode(bytes);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it outlives the process. */
  void write(RecoveryPoint point) {
    try {
      file.seek(0);
      file.write(point.encode());
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it outlives a power loss too. */
  void writeDurably(RecoveryPoint point) {
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
}

package io.rockpool.engine.rocksdb;

import io.rockpool.error.RockpoolException;
import io.rockpool.internal.format.RecoveryPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file with a store's {@link RecoveryPoint}, which is written over in place. Not thread-safe.
 */
final class RecoveryFile implements AutoCloseable {
  private final Path directory;
  private final FileChannel channel;

  private RecoveryFile(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static RecoveryFile open(StoreDirectory directory) {
    Path file = directory.recovery();
    try {
      return new RecoveryFile(
          directory.path(),
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
              FileModes.file(file)));
    } catch (IOException e) {
      throw StoreDirectory.refused("open", directory.path(), e);
    }
  }

  /** The point in the file, or null if it holds none. */
  @Nullable RecoveryPoint read() {
    try {
      ByteBuffer bytes =
          ByteBuffer.allocate((int) Math.min(channel.size(), RecoveryPoint.BYTES + 1));
      channel.read(bytes, 0);
      return RecoveryPoint.decode(bytes.array());
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it outlives the process. */
  void write(RecoveryPoint point) {
    try {
      channel.write(ByteBuffer.wrap(point.encode()), 0);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Writes a point; it outlives a power loss too. */
  void writeDurably(RecoveryPoint point) {
    write(point);
    try {
      channel.force(true);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private RockpoolException refused(IOException e) {
    return StoreDirectory.refused("keep the recovery point of", directory, e);
  }
}

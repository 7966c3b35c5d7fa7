package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mapped file, which is unmapped at once. From JDK 22 on an arena does that. Before, only {@code
 * jdk.unsupported} does, whose use newer JDKs warn of; without that module a file is unmapped when
 * its buffer is collected.
 *
 * <p>Reflection, because the library is compiled for Java 17, and the same jar is to come out of a
 * build on any JDK.
 */
record Mapping(MappedByteBuffer bytes, AutoCloseable unmapping) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** The first JDK whose arenas are no preview. */
  private static final int HAS_ARENAS = 22;

  /** Maps the start of a file for reading and writing. The channel may then be closed. */
  static Mapping of(FileChannel channel, long length) throws IOException {
    if (Runtime.version().feature() >= HAS_ARENAS) {
      try {
        return inArena(channel, length);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.debug("Files are mapped without an arena.", e);
      }
    }
    MappedByteBuffer bytes = channel.map(MapMode.READ_WRITE, 0, length);
    return new Mapping(bytes, () -> invokeCleaner(bytes));
  }

  private static Mapping inArena(FileChannel channel, long length)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.foreign.Arena");
    AutoCloseable arena = (AutoCloseable) type.getMethod("ofShared").invoke(null);
    Object segment =
        FileChannel.class
            .getMethod("map", MapMode.class, long.class, long.class, type)
            .invoke(channel, MapMode.READ_WRITE, 0L, length, arena);
    Object bytes =
        Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
    return new Mapping((MappedByteBuffer) bytes, arena);
  }

  private static void invokeCleaner(MappedByteBuffer bytes) throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field instance = unsafe.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), bytes);
  }

  /** Unmaps the file. */
  @Override
  public void close() {
    try {
      unmapping.close();
    } catch (Exception e) {
      LOG.debug("A mapped file is unmapped by the garbage collector.", e);
    }
  }
}

package io.rockpool.internal.rocksdb.files;

import io.rockpool.internal.logging.LoggerNames;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmaps files at once. Before JDK 22 only {@code jdk.unsupported} offers this; without that module
 * a file is unmapped when its buffer is collected.
 */
final class Unmapping {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  private static final @Nullable MethodHandle CLEANER = cleaner();

  private Unmapping() {}

  private static @Nullable MethodHandle cleaner() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("Mapped files are unmapped by the garbage collector.", e);
      return null;
    }
  }

  static void unmap(MappedByteBuffer buffer) {
    if (CLEANER != null) {
      try {
        CLEANER.invoke((ByteBuffer) buffer);
      } catch (Throwable e) {
        LOG.debug("A mapped file is unmapped by the garbage collector.", e);
      }
    }
  }
}

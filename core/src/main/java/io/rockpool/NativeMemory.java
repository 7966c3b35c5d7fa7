package io.rockpool;

import com.sun.management.OperatingSystemMXBean;
import io.rockpool.internal.logging.LoggerNames;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native memory that stores take by default, and whether their process has room for it.
 *
 * <p>What is left for stores is the memory of the machine, or of the container, without the maximum
 * heap, without {@link #JVM_BYTES}, and without the native memory of stores that are open already.
 * A store takes a quarter of it, so that the stores of a process never take all of it together.
 *
 * @param limitBytes the memory of the machine or container
 * @param heapBytes the maximum heap
 * @param openBytes the native memory of the open stores
 */
record NativeMemory(long limitBytes, long heapBytes, long openBytes) {
  /** More is worth its memory only for large stores, whose users choose. */
  static final long MOST_BYTES = 256L << 20;

  /** With less, a store mostly flushes and compacts. */
  static final long LEAST_BYTES = 16L << 20;

  /**
   * What a JVM needs beside its heap: classes, code, threads, and RocksDB's own allocations. A
   * store alone took 80 MB of it, a Spring Boot application with JPA takes more.
   */
  static final long JVM_BYTES = 150L << 20;

  /** A store's share of what is left. */
  private static final int PARTS = 4;

  private static final int MIB = 1 << 20;

  /** The memory of this process while stores with {@code openBytes} are open. */
  static NativeMemory ofProcess(long openBytes) {
    long limit = Math.min(limit(), ControlGroupLimit.bytes(Path.of("/")));
    return new NativeMemory(limit, Runtime.getRuntime().maxMemory(), openBytes);
  }

  /** The memory of the container, or of the machine; unlimited if the JVM does not report it. */
  private static long limit() {
    try {
      // Since JDK 14 this is the limit of the control group, but not always of those around it.
      return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
              && system.getTotalMemorySize() > 0
          ? system.getTotalMemorySize()
          : Long.MAX_VALUE;
    } catch (LinkageError e) { // a JVM without the module jdk.management
      return Long.MAX_VALUE;
    }
  }

  /** What the next store takes unless its user chooses. */
  long defaultBytes() {
    return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, leftBytes() / PARTS));
  }

  private long leftBytes() {
    return limitBytes - heapBytes - JVM_BYTES - openBytes;
  }

  /**
   * Logs a warning if a store with {@code bytes} may make the operating system kill the process.
   */
  void warnBefore(@Nullable Path directory, long bytes) {
    if (leftBytes() >= bytes) {
      return;
    }
    Logger log = LoggerFactory.getLogger(LoggerNames.STORE);
    log.warn(
        "The process may be killed for lack of memory. Its limit is {} MiB; the maximum heap of {}"
            + " MiB, {} MiB of open stores, {} MiB for the store in {} and about {} MiB for the JVM"
            + " exceed it. Set a smaller heap (-Xmx), give the store less (memoryBytes,"
            + " rockpool.memory), or raise the limit.",
        limitBytes / MIB,
        heapBytes / MIB,
        openBytes / MIB,
        bytes / MIB,
        directory,
        JVM_BYTES / MIB);
  }
}

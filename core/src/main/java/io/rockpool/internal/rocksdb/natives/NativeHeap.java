package io.rockpool.internal.rocksdb.natives;

import io.rockpool.internal.logging.LoggerNames;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns free memory of the C library to the operating system. glibc lets threads allocate from
 * separate arenas, and keeps freed memory in its arena. So evicted cache blocks and the buffers of
 * compactions add up beyond the memory budget. A JVM command returns all of it, in about ten
 * milliseconds. If the JVM or the system lacks the command, nothing is done.
 */
public final class NativeHeap implements Chore {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** Then, memory is returned each time the process has grown by this part of the budget. */
  private static final int GROWTH_SHARE = 8;

  private static final long MIN_GROWTH_BYTES = 16L << 20;

  /** Memory that is only needed for short times, again and again, is not returned each time. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private final long growthBytes;

  /**
   * Resident memory beyond the Java heap that needs no explanation: what there was at the start,
   * and the budget. Until then nothing is returned, because the first time the JVM starts its
   * management for it, which costs a young process more than memory.
   */
  private final long allowedBytes;

  /** The resident memory at the start, or after memory was last returned. */
  private long leftBytes = residentBytes();

  private long lastNanos = System.nanoTime() - PERIOD_NANOS;
  private boolean canTrim = leftBytes > 0;

  public NativeHeap(long memoryBudgetBytes) {
    this.growthBytes = Math.max(memoryBudgetBytes / GROWTH_SHARE, MIN_GROWTH_BYTES);
    this.allowedBytes = leftBytes - Runtime.getRuntime().totalMemory() + memoryBudgetBytes;
  }

  @Override
  public boolean step(boolean thorough) {
    long nowNanos = System.nanoTime();
    if (canTrim && nowNanos - lastNanos >= PERIOD_NANOS) {
      long resident = residentBytes();
      long beyondHeap = resident - Runtime.getRuntime().totalMemory();
      if (beyondHeap > allowedBytes && resident - leftBytes > growthBytes) {
        lastNanos = nowNanos;
        trim();
        resident = residentBytes();
        leftBytes = resident;
      }
      leftBytes = Math.min(leftBytes, resident);
    }
    return false;
  }

  private void trim() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              new Object[0],
              new String[0]);
    } catch (JMException | RuntimeException | LinkageError e) {
      canTrim = false;
      LOG.debug("This JVM cannot give freed native memory back to the system.", e);
    }
  }

  /** The resident memory of the process, including its Java heap; 0 if unknown. */
  public static long residentBytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}

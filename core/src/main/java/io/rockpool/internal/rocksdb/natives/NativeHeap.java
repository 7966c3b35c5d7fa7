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
 * Gives back to the system what the C library keeps of memory that was freed. glibc lets each
 * thread take memory from a part of its own, and keeps what is freed there for the threads of that
 * part; so blocks that made way in the cache, and what compactions took, add up beside what the
 * memory budget covers. The JVM has a command that has it all given back, which takes some ten
 * milliseconds. Where JVM or system do not know it, nothing is done.
 */
public final class NativeHeap implements Chore {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerNames.STORE);

  /** The part of a memory budget that the process may grow by until it is worth it. */
  private static final int GROWTH_SHARE = 8;

  private static final long MIN_GROWTH_BYTES = 16L << 20;

  /** What others take for a moment, again and again, is not given back each time. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private final long growthBytes;

  /** What was resident when it began, or when memory was last given back. */
  private long leftBytes = residentBytes();

  private long lastNanos = System.nanoTime() - PERIOD_NANOS;
  private boolean canTrim = leftBytes > 0;

  public NativeHeap(long memoryBudgetBytes) {
    this.growthBytes = Math.max(memoryBudgetBytes / GROWTH_SHARE, MIN_GROWTH_BYTES);
  }

  @Override
  public boolean step(boolean thorough) {
    long nowNanos = System.nanoTime();
    if (canTrim && nowNanos - lastNanos >= PERIOD_NANOS) {
      long resident = residentBytes();
      if (resident - leftBytes > growthBytes) {
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

  /** What the process takes of the machine's memory, its Java heap included; 0 if unknown. */
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

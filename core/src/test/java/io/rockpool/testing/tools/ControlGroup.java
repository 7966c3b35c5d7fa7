package io.rockpool.testing.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Linux control groups that bound the memory and the processor time of one process: of version 1
 * below the groups of this process, of version 2 below the root. They are empty and go when the
 * process has ended and this is closed.
 */
public final class ControlGroup implements AutoCloseable {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final long PERIOD_MICROS = 100_000;
  private static final int TRIES = 250;

  private final List<Path> groups = new ArrayList<>();

  private ControlGroup() {}

  /**
   * Makes the groups.
   *
   * @param memoryBytes the limit for memory; 0 for none
   * @param processors the limit for processor time; 0 for none
   */
  public static ControlGroup make(long memoryBytes, double processors) throws IOException {
    ControlGroup made = new ControlGroup();
    boolean done = false;
    try {
      made.limit(memoryBytes, processors);
      done = true;
      return made;
    } finally {
      if (!done) {
        made.close();
      }
    }
  }

  static boolean mayBeMade() {
    try (ControlGroup made = make(64 << 20, 0.5)) {
      return !made.groups.isEmpty();
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private void limit(long memoryBytes, double processors) throws IOException {
    String quota = Long.toString((long) (processors * PERIOD_MICROS));
    boolean unified = Files.exists(MOUNT.resolve("cgroup.controllers"));
    if (unified) {
      Path group = add(MOUNT);
      write(group, "memory.max", memoryBytes == 0 ? "max" : Long.toString(memoryBytes));
      write(group, "cpu.max", (processors == 0 ? "max" : quota) + " " + PERIOD_MICROS);
      return;
    }
    if (memoryBytes > 0) {
      write(add(own("memory")), "memory.limit_in_bytes", Long.toString(memoryBytes));
    }
    if (processors > 0) {
      Path group = add(own("cpu"));
      write(group, "cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
      write(group, "cpu.cfs_quota_us", quota);
    }
  }

  /** The group of this process. */
  private static Path own(String controller) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (List.of(parts[1].split(",", -1)).contains(controller)) {
        return MOUNT.resolve(parts[1]).resolve(parts[2].substring(1));
      }
    }
    throw new IOException("This process has no group for " + controller + ".");
  }

  private Path add(Path parent) throws IOException {
    String name = "rockpool-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
    Path group = Files.createDirectory(parent.resolve(name));
    groups.add(group);
    return group;
  }

  private static void write(Path group, String name, String value) throws IOException {
    Files.writeString(group.resolve(name), value);
  }

  /** A program that runs a command, which is appended, in the groups. */
  public List<String> program() {
    StringBuilder script = new StringBuilder();
    groups.forEach(
        group -> script.append("echo $$ > ").append(group.resolve("cgroup.procs")).append(" && "));
    return List.of("sh", "-c", script + "exec \"$@\"", "sh");
  }

  @Override
  public void close() {
    for (Path group : groups) {
      int tries = TRIES;
      while (!isDeleted(group, --tries)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  /** A process that was killed leaves its group a moment later. */
  private static boolean isDeleted(Path group, int triesLeft) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException e) {
      if (triesLeft == 0) {
        throw new UncheckedIOException(e);
      }
      return false;
    }
  }
}

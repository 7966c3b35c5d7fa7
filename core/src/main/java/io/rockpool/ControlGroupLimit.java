package io.rockpool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The limit that Linux sets to the memory of this process by control groups, of version 1 or 2. In
 * version 2 each group around that of the process limits it, too, which JVMs before 24 may not
 * know. Beyond {@code memory.high} the kernel makes a process so slow that it is no memory to plan
 * with.
 */
final class ControlGroupLimit {
  /** In version 1 no limit is the largest number of pages. */
  private static final long UNLIMITED = 1L << 62;

  private ControlGroupLimit() {}

  /**
   * The smallest limit in bytes; {@link Long#MAX_VALUE} if there is none, or it cannot be read.
   *
   * @param root the root of the file system
   */
  static long bytes(Path root) {
    Path mounts = root.resolve("sys/fs/cgroup");
    return lines(root.resolve("proc/self/cgroup"))
        .map(line -> line.split(":", 3)) // number, controllers, path
        .filter(parts -> parts.length == 3)
        .flatMap(
            parts -> {
              if (List.of(parts[1].split(",", -1)).contains("memory")) {
                return version1(mounts.resolve("memory"), parts[2]);
              }
              return parts[1].isEmpty()
                  ? Stream.of(mounts, mounts.resolve("unified"))
                      .flatMap(mount -> version2(mount, parts[2]))
                  : Stream.of();
            })
        .mapToLong(ControlGroupLimit::parse)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The kernel knows the smallest limit of a group and those around it. */
  private static Stream<String> version1(Path mount, String group) {
    String name = "hierarchical_memory_limit ";
    return around(mount, group)
        .flatMap(directory -> lines(directory.resolve("memory.stat")))
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()));
  }

  private static Stream<String> version2(Path mount, String group) {
    return around(mount, group)
        .flatMap(directory -> Stream.of("memory.max", "memory.high").map(directory::resolve))
        .flatMap(ControlGroupLimit::lines);
  }

  /** The directory of a group and those around it; only the mount's if it is not below that. */
  private static Stream<Path> around(Path mount, String group) {
    try {
      Path own = mount.resolve("./" + group).normalize();
      return Stream.iterate(
          own.startsWith(mount) ? own : mount, each -> each.startsWith(mount), Path::getParent);
    } catch (InvalidPathException e) {
      return Stream.of(mount);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      return Stream.of(); // there is none, or it is not for this process
    }
  }

  private static long parse(String limit) {
    try {
      long bytes = Long.parseLong(limit.trim());
      return bytes <= 0 || bytes >= UNLIMITED ? Long.MAX_VALUE : bytes;
    } catch (NumberFormatException e) { // "max"
      return Long.MAX_VALUE;
    }
  }
}

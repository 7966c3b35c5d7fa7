package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limit that Linux sets to the memory of a process, in each layout of control groups. */
final class ControlGroupLimitTest {
  private static final long MIB = 1 << 20;
  private static final long NONE = Long.MAX_VALUE;

  @TempDir Path root;

  /** The groups of the process, and files of them: name, content, name, content. */
  private enum Layout {
    NOT_LINUX(null, NONE),
    NO_GROUPS("", NONE),
    VERSION_1(
        "9:memory:/\n0::/\n",
        512 * MIB,
        "memory/memory.stat",
        "cache 7\nhierarchical_memory_limit 536870912\nrss 3\n"),
    VERSION_1_WITH_SEVERAL_CONTROLLERS(
        "5:cpu,cpuacct:/a\n4:hugetlb,memory:/a/b\n",
        256 * MIB,
        "memory/memory.stat",
        "hierarchical_memory_limit 1073741824\n",
        "memory/a/b/memory.stat",
        "hierarchical_memory_limit 268435456\n"),
    VERSION_1_UNLIMITED(
        "4:memory:/\n",
        NONE,
        "memory/memory.stat",
        "hierarchical_memory_limit 9223372036854771712\n"),
    VERSION_1_IN_DOCKER_WITHOUT_NAMESPACE(
        "4:memory:/docker/8f3a\n",
        384 * MIB,
        "memory/memory.stat",
        "hierarchical_memory_limit 402653184\n"),
    HYBRID(
        "4:memory:/a\n0::/other\n",
        384 * MIB,
        "memory/a/memory.stat",
        "hierarchical_memory_limit 402653184\n",
        "unified/cgroup.controllers",
        "",
        "unified/other/cgroup.procs",
        "1\n"),
    HYBRID_WITH_MEMORY_IN_VERSION_2(
        "1:name=systemd:/a\n0::/other\n", 384 * MIB, "unified/other/memory.max", "402653184\n"),
    VERSION_2("0::/a\n", 512 * MIB, "a/memory.max", "536870912\n"),
    VERSION_2_IN_DOCKER_WITH_NAMESPACE("0::/\n", 512 * MIB, "memory.max", "536870912\n"),
    VERSION_2_OUTSIDE_OF_ITS_NAMESPACE("0::/../../a\n", 512 * MIB, "memory.max", "536870912\n"),
    VERSION_2_UNLIMITED("0::/a/b\n", NONE, "a/memory.max", "max\n", "a/b/memory.max", "max\n"),
    VERSION_2_IN_A_SLICE(
        "0::/system.slice/app.slice/app.service\n",
        512 * MIB,
        "system.slice/memory.max",
        "1073741824\n",
        "system.slice/app.slice/memory.max",
        "536870912\n",
        "system.slice/app.slice/app.service/memory.max",
        "max\n"),
    VERSION_2_WITH_A_LARGER_INNER_LIMIT(
        "0::/a/b\n", 512 * MIB, "a/memory.max", "536870912", "a/b/memory.max", "1073741824"),
    VERSION_2_THROTTLED(
        "0::/a\n", 384 * MIB, "a/memory.max", "536870912", "a/memory.high", "402653184"),
    VERSION_2_THROTTLED_ONLY("0::/a\n", 384 * MIB, "a/memory.high", "402653184"),
    VERSION_2_WITH_A_COLON_IN_A_NAME("0::/a:b\n", 512 * MIB, "a:b/memory.max", "536870912\n"),
    NOT_A_NUMBER("0::/a\n", NONE, "a/memory.max", "lots\n"),
    EMPTY_FILE("0::/a\n", NONE, "a/memory.max", ""),
    ZERO("0::/a\n", NONE, "a/memory.max", "0"),
    UNREADABLE("0::/a\n", 512 * MIB, "a/memory.max/x", "", "memory.max", "536870912"),
    MALFORMED_LINES("0\n:\n::\n0::a\0b\n0::/a\n", 512 * MIB, "a/memory.max", "536870912");

    private final String groups;
    private final long expected;

    @SuppressWarnings("ImmutableEnumChecker") // nothing changes it
    private final String[] files;

    Layout(String groups, long expected, String... files) {
      this.groups = groups;
      this.expected = expected;
      this.files = files;
    }

    void make(Path root) throws IOException {
      if (groups != null) {
        write(root.resolve("proc/self/cgroup"), groups);
      }
      for (int i = 0; i < files.length; i += 2) {
        write(root.resolve("sys/fs/cgroup").resolve(files[i]), files[i + 1]);
      }
    }

    private static void write(Path file, String content) throws IOException {
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void theSmallestLimitHolds(Layout layout) throws IOException {
    layout.make(root);
    assertThat(ControlGroupLimit.bytes(root)).isEqualTo(layout.expected);
  }

  @Test
  void aProcessHasNoLessThanItNeeds() {
    assertThat(ControlGroupLimit.bytes(Path.of("/")))
        .isGreaterThan(Runtime.getRuntime().totalMemory());
    assertThat(NativeMemory.ofProcess(0).limitBytes())
        .isLessThanOrEqualTo(ControlGroupLimit.bytes(Path.of("/")));
  }
}

package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Slow;
import io.rockpool.testing.Tmpfs;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every verb on a full and on a read-only disk: what it does or why not, and nothing lost. */
@Slow
@Timeout(300)
final class HostileDisksTest {
  private static final int MEBIBYTES = 64;
  private static final Set<String> READING =
      Set.of("ls", "info", "get", "scan", "count", "stat", "top", "ui", "verify", "backups");

  @TempDir Path parent;

  static Set<String> verbs() {
    return VerbCase.VERBS.keySet();
  }

  @Test
  void everyVerbIsTried() {
    Set<String> all =
        new TreeSet<>(new CommandLine(new RockpoolCommand()).getSubcommands().keySet());
    all.removeAll(Set.of("generate-completion", "help"));
    assertThat(verbs()).containsExactlyElementsOf(all);
  }

  /** To open a store to be written, RocksDB writes some small files. */
  @ParameterizedTest
  @MethodSource("verbs")
  @Needs(Tool.MOUNTS)
  void aFullDisk(String verb) throws Exception {
    onFullDisk(verb, 0, READING.contains(verb));
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop", "reclaim"})
  @Needs(Tool.MOUNTS)
  void verbsThatMakeRoomOnAnAlmostFullDisk(String verb) throws Exception {
    onFullDisk(verb, 512 << 10, /* isDone= */ true);
  }

  private void onFullDisk(String verb, int freeBytes, boolean isDone) throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), MEBIBYTES)) {
      VerbCase made = VerbCase.make(disk.directory(), null);
      Path free = Files.write(disk.directory().resolve("free"), new byte[freeBytes]);
      Path filler = disk.directory().resolve("filler");
      fillUp(filler);
      Files.delete(free);
      assertRan(verb, made.run(verb, null), isDone);
      Files.delete(filler);
      made.assertNothingLost(verb);
    }
  }

  private static void fillUp(Path filler) {
    byte[] block = new byte[4_096];
    try (OutputStream out =
        Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space");
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  @Needs(Tool.MOUNTS)
  void aReadOnlyDisk(String verb) throws Exception {
    try (Tmpfs disk = Tmpfs.mount(parent.resolve("disk"), MEBIBYTES)) {
      VerbCase made = VerbCase.make(disk.directory(), null);
      disk.setReadOnly(true);
      assertRan(verb, made.run(verb, null), READING.contains(verb));
      disk.setReadOnly(false);
      made.assertNothingLost(verb);
    }
  }

  private static void assertRan(String verb, CommandRun ran, boolean isDone) {
    VerbCase.assertPlain(verb, ran);
    assertThat(ran.code())
        .as(verb + ran.out() + ran.err())
        .isEqualTo(isDone ? RockpoolCommand.DONE : RockpoolCommand.REFUSED);
  }
}

package io.rockpool.compatibility.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.compatibility.boot4.Service.Answer;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service as one jar in a container of the strict kind: a user without an account, a read-only
 * root, a temporary directory that no program may be run from, and one volume that stays.
 */
@Tag("slow")
@Needs(Tool.CONTAINERS)
final class ContainerTest {
  /** The user has no line in /etc/passwd, so that its home and name are "?" to the JVM. */
  private static final String UID = "12345";

  private static final String SCRIPT =
      """
      chown %1$s "$1" && mount --make-rprivate / && mount --bind "$1" "$1" &&
      mount -o remount,bind,ro / && mount -t tmpfs -o noexec,mode=1777 tmpfs "$2" && shift 2 &&
      exec setpriv --reuid=%1$s --regid=%1$s --clear-groups \
        --inh-caps=-all,+dac_read_search --ambient-caps=+dac_read_search \
        --bounding-set=-all,+dac_read_search "$@"
      """
          .formatted(UID);

  @TempDir Path parent;

  /** Has that user run a command in mounts of its own; it may read the JDK and the jar. */
  private ProcessBuilder container(List<String> command) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                SCRIPT,
                "sh",
                parent.resolve("volume").toString(),
                parent.resolve("tmp").toString()));
    all.addAll(command);
    return new ProcessBuilder(all).directory(parent.toFile());
  }

  private Service start(Path jar) throws IOException {
    List<String> command = new ArrayList<>(Service.java());
    command.add("-Djava.io.tmpdir=" + parent.resolve("tmp"));
    command.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
    ProcessBuilder builder = container(command);
    builder.environment().put("ROCKPOOL_DIRECTORY", parent.resolve("volume/store").toString());
    return Service.start(builder);
  }

  @Test
  void aJarIsWarmAfterItWasKilled() throws Exception {
    Files.createDirectory(parent.resolve("volume"));
    Files.createDirectory(parent.resolve("tmp"));
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path jar = parent.resolve("shop.jar");
    FatJar.make(jar, Files.createDirectory(parent.resolve("work")));
    Map<String, Answer> first;
    try (Service service = start(jar)) {
      first = service.callAll();
      assertThat(first).allSatisfy((name, answer) -> assertThat(answer.calls()).isEqualTo(1));
      service.kill();
    }
    try (Service service = start(jar)) {
      Map<String, Answer> again = service.callAll();
      assertThat(again).hasSameSizeAs(first);
      assertThat(again)
          .allSatisfy(
              (name, answer) ->
                  assertThat(answer).isEqualTo(new Answer(first.get(name).value(), 0)));
      service.stop();
    }
    assertThat(Path.of("?")).doesNotExist();
  }
}

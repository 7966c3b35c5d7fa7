package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store opens in a container of the strict kind: a user without an account, a read-only root, a
 * temporary directory that no program may be run from, and one volume that can be written to.
 */
@Timeout(60)
@Needs(Tool.CONTAINERS)
final class ContainerTest {
  /** The user has no line in /etc/passwd, so that its home and name are "?" to the JVM. */
  private static final String UID = "12345";

  @TempDir Path parent;

  /** Runs a command as that user, in mounts of its own; it may read the class path, and no more. */
  private List<String> container(Path volume) {
    String mounts =
        "mount --make-rprivate / && mount -o remount,bind,ro / && mount -t tmpfs -o mode=0700,uid="
            + UID
            + " tmpfs "
            + volume
            + " && mount -t tmpfs -o noexec,mode=1777 tmpfs /tmp_ && exec setpriv --reuid="
            + UID
            + " --regid="
            + UID
            + " --clear-groups --inh-caps=-all,+dac_read_search --ambient-caps=+dac_read_search"
            + " --bounding-set=-all,+dac_read_search \"$@\"";
    return List.of(
        "unshare", "--mount", "sh", "-c", mounts.replace("/tmp_", noexec().toString()), "sh");
  }

  private Path noexec() {
    return parent.resolve("noexec");
  }

  @Test
  void aStoreOpensAndLeavesNothingElsewhere() throws Exception {
    Path volume = Files.createDirectory(parent.resolve("volume"));
    Files.createDirectory(noexec());
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path store = volume.resolve("store");
    try (Child opener =
        Child.startUnder(
            container(volume),
            StoreOpener.class,
            List.of("-Djava.io.tmpdir=" + noexec()),
            store,
            store)) {
      assertThat(opener.readLine()).isEqualTo(StoreOpener.OPENED);
      assertThat(opener.readLine()).isEqualTo(StoreOpener.OPENED);
      assertThat(opener.waitFor()).isZero();
    }
    assertThat(Path.of("?")).doesNotExist();
  }
}

package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.testing.Slow;
import io.rockpool.testing.Threads;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** A directory of backups. */
@Slow
final class DirectoryTargetTest extends BackupTargetContract {
  @Override
  protected BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
  }

  /** Between the list and the look at a file, another process may delete it. */
  @Test
  void filesAreListedWhileOthersAreDeleted() throws Exception {
    BackupTarget target = target();
    try (Closeable lock = target.lock(BackupTarget.LOG)) {
      Threads.Running<Boolean> writer =
          Threads.start(
              () -> {
                for (int number = 0; number < 300; number++) {
                  target.put("log/" + number, 1, new ByteArrayInputStream(new byte[1]));
                  target.delete("log/" + (number - 1));
                }
                return true;
              });
      while (writer.isRunning()) {
        assertThat(target.list("log/").values()).allMatch(bytes -> bytes == 1);
      }
      assertThat(writer.result()).isTrue();
      assertThat(target.list("log/")).containsOnlyKeys("log/299");
    }
  }

  @Test
  void aTargetIsFoundByItsUri() {
    assertThat(BackupTargets.at(parent.resolve("backups").toUri()))
        .hasToString(target().toString());
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupTargets.at(URI.create("s3://user:secret@bucket/a?b=c")))
        .withMessageContaining("s3://bucket/a")
        .withMessageContaining("io.rockpool:rockpool-s3");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupTargets.at(URI.create("backups")))
        .withMessageContaining("Check the scheme");
  }
}

package io.rockpool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import org.junit.jupiter.api.Test;

/** A directory of backups. */
final class DirectoryTargetTest extends BackupTargetContract {
  @Override
  protected BackupTarget target() {
    return DirectoryTarget.at(parent.resolve("backups"));
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

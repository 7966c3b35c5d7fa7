package io.rockpool.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rockpool.StoreBackups;
import io.rockpool.backup.BackupTarget;
import io.rockpool.backup.BackupTargetContract;
import io.rockpool.backup.BackupTargets;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.error.StoreIoException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups on a real server of the S3 protocol. */
final class S3TargetTest extends BackupTargetContract {
  private static final AtomicInteger TESTS = new AtomicInteger();
  @TempDir static Path files;
  private static S3Server server;
  private String prefix = "";

  @BeforeAll
  static void startServer() throws Exception {
    server = S3Server.start(files);
  }

  @AfterAll
  static void endServer() throws Exception {
    server.close();
  }

  @BeforeEach
  void choosePrefix() {
    prefix = "shops/" + TESTS.incrementAndGet();
  }

  @Override
  protected BackupTarget target() {
    return server.patientTarget(prefix);
  }

  /** Two parts and a bit. */
  @Override
  protected int largeBytes() {
    return 2 * S3Upload.PART_BYTES + 5;
  }

  @Test
  void otherContentIsRefused() throws Exception {
    S3Objects objects = server.target(prefix).objects();
    objects.put("letter.txt", new byte[1], 1);
    assertThatExceptionOfType(ForeignDirectoryException.class)
        .isThrownBy(() -> target().lock(BackupTarget.BACKUPS))
        .withMessageContaining("s3://bucket/" + prefix + " is not empty");
    byte[] newer = "Rockpool backups\nformat 2\n".getBytes(StandardCharsets.UTF_8);
    objects.put("ROCKPOOL.backups", newer, newer.length);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> StoreBackups.list(target()));
  }

  @Test
  void aNeighbourWithTheSameBeginningIsNotSeen() throws Exception {
    String own = prefix;
    try (var lock = target().lock(BackupTarget.BACKUPS)) {
      prefix = own + "-too";
      try (var other = target().lock(BackupTarget.BACKUPS)) {
        assertThat(target().list("files/")).isEmpty();
      }
    }
  }

  @Test
  void wrongCredentialsAndBucketsAreNamed() {
    S3Target wrong = S3Target.at(server.uri(prefix), S3Server.ACCESS_KEY, "wrong");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.list(wrong))
        .withMessageContaining("403")
        .withMessageContaining("SignatureDoesNotMatch")
        .withMessageNotContaining("wrong");
    S3Target unknown = S3Target.at(server.uri(prefix), "nobody", "wrong");
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.list(unknown))
        .withMessageContaining("403");
    URI missing =
        URI.create(server.uri(prefix).toString().replace("s3://bucket/", "s3://missing/"));
    assertThatExceptionOfType(StoreIoException.class)
        .isThrownBy(() -> StoreBackups.list(S3Server.target(missing)))
        .withMessageContaining("NoSuchBucket");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3:///prefix",
        "s3://key:secret@bucket/prefix",
        "s3://bucket?endpoint=ftp://host",
        "s3://bucket?secret=x"
      })
  void wrongUrisAreRefused(String uri) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BackupTargets.at(URI.create(uri)))
        .withMessageContaining("Expected s3://bucket/prefix")
        .withMessageNotContaining("key:secret");
  }

  @Test
  void partsOfUris() {
    assertThat(BackupTargets.at(URI.create("s3://bucket/a/b/?region=eu-central-1")))
        .hasToString("s3://bucket/a/b");
    S3Location location = S3Location.of(URI.create("s3://b?endpoint=https%3A%2F%2Fhost%3A9000"));
    assertThat(location)
        .isEqualTo(new S3Location("b", "", URI.create("https://host:9000"), null, true));
    assertThat(S3Location.of(URI.create("s3://b/p?endpoint=https://h&path-style=false")))
        .isEqualTo(new S3Location("b", "p/", URI.create("https://h"), null, false));
    assertThat(List.of(S3Location.of(URI.create("s3://my_bucket/p")).bucket()))
        .containsExactly("my_bucket");
  }
}

package io.rockpool.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with backups in a bucket, and credentials in its environment. */
final class S3CommandTest {
  @TempDir Path parent;

  private static String run(String secret, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.rockpool.cli.RockpoolCommand"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY);
    builder.environment().put("AWS_SECRET_ACCESS_KEY", secret);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  @Test
  void eachVerbOfBackups() throws Exception {
    String store = parent.resolve("store").toString();
    String restored = parent.resolve("restored").toString();
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      pool.map("map", String.class, Long.class).put("apple", 3L);
    }
    try (S3Server server = S3Server.start(parent.resolve("server"))) {
      String target = server.uri("shop").toString();
      String secret = S3Server.SECRET_KEY;
      assertThat(run(secret, "backups", target))
          .startsWith("3 ")
          .contains("There are no backups in s3://bucket/shop");
      assertThat(run(secret, "backup", store, target, "--keep", "2", "--format=json"))
          .startsWith("0 ")
          .contains("{\"number\":1,");
      assertThat(run(secret, "backups", target)).startsWith("0 ").contains("added bytes");
      assertThat(run(secret, "verify-backup", target)).startsWith("0 ");
      assertThat(run(secret, "restore", target, restored)).startsWith("0 ");
      assertThat(run("none", "backups", target))
          .startsWith("3 ")
          .contains("rockpool: Could not", "SignatureDoesNotMatch")
          .doesNotContain(secret, "\tat ");
    }
    try (Rockpool pool = Rockpool.open(Path.of(restored))) {
      assertThat(pool.map("map", String.class, Long.class)).containsEntry("apple", 3L);
    }
  }
}

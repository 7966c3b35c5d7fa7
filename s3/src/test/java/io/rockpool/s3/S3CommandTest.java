package io.rockpool.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command with backups in a bucket, and credentials in its environment. */
@Slow
final class S3CommandTest {
  @TempDir Path parent;

  private static String run(String secret, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Those of a newer JDK by which it does not warn of native access.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "io.rockpool.cli.RockpoolCommand"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    List.of("AWS_REGION", "AWS_DEFAULT_REGION").forEach(builder.environment().keySet()::remove);
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().put("AWS_CONFIG_FILE", "/missing");
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

  @ParameterizedTest
  @ValueSource(strings = {"", "?region=", "?region=not%20one"})
  void aTargetWithoutARegionIsRefused(String parameters) throws Exception {
    String store = parent.resolve("store").toString();
    Rockpool.open(Path.of(store)).close();
    String target = "s3://bucket/shop" + parameters;
    for (List<String> verb :
        List.of(
            List.of("backup", store, target),
            List.of("backups", target),
            List.of("verify-backup", target),
            List.of("restore", target, parent.resolve("out").toString()))) {
      assertThat(run(S3Server.SECRET_KEY, verb.toArray(new String[0])))
          .as("%s", verb)
          .startsWith("3 rockpool: The URI s3://bucket/shop names no backups")
          .contains("region")
          .doesNotContain("\tat ")
          .hasLineCount(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no bucket", "no server"})
  void eachVerbOnWhatIsNoTarget(String state) throws Exception {
    String store = parent.resolve("store").toString();
    String out = parent.resolve("out").toString();
    Rockpool.open(Path.of(store)).close();
    try (S3Server server = S3Server.start(parent.resolve("server"))) {
      String target = server.uri("shop").toString();
      if (state.equals("no bucket")) {
        target = target.replace("s3://bucket/", "s3://missing/");
      } else {
        server.kill();
      }
      for (List<String> verb :
          List.of(
              List.of("backup", store, target),
              List.of("backups", target),
              List.of("verify-backup", target),
              List.of("restore", target, out))) {
        assertThat(run(S3Server.SECRET_KEY, verb.toArray(new String[0])))
            .as("%s", verb)
            .startsWith("3 ")
            .contains("rockpool: ", "s3://")
            .doesNotContain(S3Server.SECRET_KEY, "\tat ");
      }
    }
    assertThat(parent.resolve("out")).doesNotExist();
  }
}

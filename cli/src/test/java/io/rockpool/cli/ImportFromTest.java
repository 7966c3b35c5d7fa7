package io.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.engine.Limits;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data of other programs. The test with Redis needs redis-server on the path. */
@Timeout(120)
@Needs(Tool.REDIS)
final class ImportFromTest {
  private static final int MANY = 2_500;
  private static final String LONG = "k".repeat(Limits.MAX_SORT_KEY_BYTES + 1);

  @TempDir Path parent;
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return RockpoolCommand.run(
        new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
  }

  @Test
  void everyTypeOfRedis() throws Exception {
    Path store = parent.resolve("store");
    try (SourceRedis server = SourceRedis.start();
        RedisSource redis = server.connect()) {
      fill(redis);
      String[] command = {
        "import", store.toString(), "old", "--from", server.uri().toString(), "--match", "shop:*"
      };
      assertThat(run(command)).isEqualTo(RockpoolCommand.USAGE);
      command = Arrays.copyOf(command, command.length + 1);
      command[command.length - 1] = "--write";
      assertThat(run(command)).as(err.toString()).isEqualTo(RockpoolCommand.NO);
      assertThat(err.toString()).contains("\"shop:events\" was left out: it is a stream");
      assertThat(err.toString())
          .contains(LONG + "\" was left out: A sort key of")
          .contains("\"shop:long\" was left out: A sort key of");
      assertFilled(store);
      assertThat(run(command)).as("again").isEqualTo(RockpoolCommand.NO);
      assertFilled(store);
    }
  }

  private static void fill(RedisSource redis) throws IOException {
    redis.call("SET", "shop:name", "R\u00f6ck pool");
    redis.call("SET", "shop:short", "x", "PX", "3600000");
    redis.call("SET", "other", "x");
    redis.call("HSET", "shop:stock", "apple", "3", "pear", "5");
    redis.call("PEXPIRE", "shop:stock", "3600000");
    for (int number = 0; number < MANY; number++) {
      redis.call("RPUSH", "shop:lines", "line " + number);
      redis.call("SADD", "shop:tags", "tag " + number);
    }
    redis.call("ZADD", "shop:ranks", "1.5", "ann", "-inf", "bob");
    redis.call("SET", "shop:" + LONG, "x");
    redis.call("HSET", "shop:long", LONG, "x");
    redis.call("XADD", "shop:events", "*", "a", "b");
  }

  private static void assertFilled(Path store) {
    try (Rockpool pool = Rockpool.open(store)) {
      var strings = pool.map("old", String.class, String.class);
      assertThat(strings)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("shop:name", "R\u00f6ck pool", "shop:short", "x"));
      assertThat(strings.ttl("shop:short").orElseThrow()).isLessThan(Duration.ofHours(2));
      assertThat(pool.map("old/shop:stock", String.class, String.class))
          .containsExactlyInAnyOrderEntriesOf(Map.of("apple", "3", "pear", "5"));
      assertThat(pool.names().find("old/shop:stock").orElseThrow().expires()).isPresent();
      assertThat(pool.deque("old/shop:lines", String.class))
          .hasSize(MANY)
          .startsWith("line 0", "line 1")
          .endsWith("line " + (MANY - 1));
      assertThat(pool.set("old/shop:tags", String.class)).hasSize(MANY).contains("tag 7");
      var ranks = pool.scoredSet("old/shop:ranks", String.class);
      assertThat(ranks.score("ann")).hasValue(1.5);
      assertThat(ranks.score("bob")).hasValue(Double.NEGATIVE_INFINITY);
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @Test
  void linesOfCommaSeparatedValues() throws Exception {
    Path file = parent.resolve("people.csv");
    Files.writeString(file, "id,name,note\r\n7,Ann,\"says \"\"hi\"\",\nthen goes\"\n8,Bob,\n");
    String store = parent.resolve("store").toString();
    String from = "csv:" + file;
    assertThat(run("import", store, "people", "--from", from, "--write"))
        .isEqualTo(RockpoolCommand.USAGE);
    assertThat(run("import", store, "people", "--from", from, "--key", "no", "--write"))
        .isEqualTo(RockpoolCommand.REFUSED);
    assertThat(err.toString()).contains("no column \"no\" but [id, name, note]");
    assertThat(run("import", store, "people", "--from", from, "--key", "id", "--write"))
        .as(err.toString())
        .isZero();
    try (Rockpool pool = Rockpool.open(Path.of(store))) {
      var table = pool.table("people", String.class, String.class, String.class);
      assertThat(table.get("7", "note")).isEqualTo("says \"hi\",\nthen goes");
      assertThat(table.get("8", "name")).isEqualTo("Bob");
      assertThat(table.get("8", "note")).isEmpty();
    }
    Files.writeString(file, "id,name\n7\n");
    assertThat(run("import", store, "people", "--from", from, "--key", "id", "--write"))
        .isEqualTo(RockpoolCommand.REFUSED);
    assertThat(err.toString()).contains("Line 2 has 1 values; expected 2");
  }
}

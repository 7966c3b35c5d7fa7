package io.rockpool.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.Encryption;
import io.rockpool.encryption.KeyProviders;
import io.rockpool.testing.NotEncrypted;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that come from a Redis server and are encrypted in the store. */
@Slow
@Timeout(180)
@NotEncrypted("opens stores with and without encrypted keys")
@Needs(Tool.REDIS)
final class HiddenKeysFromRedisTest {
  private static final String KEY = "a-key-that-no-file-may-have-";
  private static final String VALUE = "a-value-that-no-file-may-have-";
  private static final int ELEMENTS = 1_200; // more than a page

  /** The longest key whose ciphertext is a key, too. */
  private static final int LONGEST = 65_520;

  @TempDir Path parent;
  private SourceRedis server;
  private Path store = Path.of("");
  private Path keys = Path.of("");

  /** What the target encrypts. */
  private enum Target {
    CLEAR,
    VALUES,
    VALUES_AND_KEYS
  }

  @BeforeEach
  void startServer() throws Exception {
    server = SourceRedis.start();
    store = parent.resolve("store");
    keys = parent.resolve("keys");
    Files.writeString(keys, KeyProviders.newKey("may"));
    try (RedisSource redis = server.connect()) {
      fill(redis);
    }
  }

  @AfterEach
  void endServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  private static void fill(RedisSource redis) throws IOException {
    for (int i = 0; i < ELEMENTS; i++) {
      redis.call("SET", KEY + i, VALUE + i);
      redis.call("HSET", "stock", KEY + i, VALUE + i);
      redis.call("SADD", "tags", KEY + i);
    }
    redis.call("SET", KEY + "short", VALUE, "PX", "3600000");
    redis.call("HSET", "brief", KEY + "brief", VALUE);
    redis.call("PEXPIRE", "brief", "3600000");
    redis.call("RPUSH", "lines", VALUE + 1, VALUE + 2, VALUE + 1);
  }

  private CommandRun load(Target target, Object... options) {
    Stream<Object> words = Stream.of("import", store, "old", "--from", server.uri(), "--write");
    return run(target, Stream.concat(words, Stream.of(options)).toArray());
  }

  private CommandRun run(Target target, Object... arguments) {
    List<Object> options =
        switch (target) {
          case CLEAR -> List.of();
          case VALUES -> List.of("--key-file", keys);
          case VALUES_AND_KEYS ->
              arguments[0].equals("import")
                  ? List.of("--key-file", keys, "--hide-keys")
                  : List.of("--key-file", keys);
        };
    return CommandRun.of(Stream.concat(Stream.of(arguments), options.stream()).toArray());
  }

  private String out(Target target, Object... arguments) {
    CommandRun ran = run(target, arguments);
    assertThat(ran.code()).as("%s %s %s", List.of(arguments), ran.out(), ran.err()).isZero();
    return ran.out();
  }

  private static boolean filesHave(Path directory, String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, ISO_8859_1).contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeWithKeysIsCopied(Target target) throws Exception {
    for (int copy = 1; copy <= 2; copy++) { // it can be repeated
      CommandRun ran = load(target);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out()).contains("" + (ELEMENTS + 5));
      assertThat(filesHave(store, KEY)).isEqualTo(target != Target.VALUES_AND_KEYS);
      assertThat(filesHave(store, VALUE)).isEqualTo(target == Target.CLEAR);
    }
    out(target, "compact", store, "--write"); // from the log into tables
    if (target != Target.CLEAR) { // tables of plaintext are compressed
      assertThat(filesHave(store, KEY)).isEqualTo(target == Target.VALUES);
      assertThat(filesHave(store, VALUE)).isFalse();
    }
    assertCopied(target);
  }

  private void assertCopied(Target target) throws Exception {
    assertThat(out(target, "get", store, "old", KEY + 7)).contains(VALUE + 7);
    assertThat(out(target, "get", store, "old/stock", KEY + 8)).contains(VALUE + 8);
    assertThat(run(target, "get", store, "old", KEY + "none").code()).isEqualTo(RockpoolCommand.NO);
    assertThat(out(target, "count", store, "old/tags")).contains("" + ELEMENTS);
    for (String name : List.of("old", "old/stock", "old/brief", "old/tags")) {
      if (target == Target.VALUES_AND_KEYS) {
        assertThat(out(target, "info", store, name)).contains("values and keys\n");
      }
    }
    assertThat(exported(target, "old"))
        .hasSize(ELEMENTS + 1)
        .anyMatch(line -> line.contains(KEY + 9 + "\"") && line.contains(VALUE + 9 + "\""));
    assertThat(exported(target, "old/stock")).hasSize(ELEMENTS);
    try (Rockpool pool = open(target)) {
      var strings = pool.map("old", String.class, String.class);
      var stock = pool.map("old/stock", String.class, String.class);
      var tags = pool.set("old/tags", String.class);
      for (int i = 0; i < ELEMENTS; i++) {
        assertThat(strings.get(KEY + i)).isEqualTo(VALUE + i);
        assertThat(stock.get(KEY + i)).isEqualTo(VALUE + i);
        assertThat(tags.contains(KEY + i)).as(KEY + i).isTrue();
      }
      assertThat(strings).hasSize(ELEMENTS + 1);
      assertThat(strings.ttl(KEY + "short").orElseThrow()).isLessThan(Duration.ofHours(2));
      assertThat(pool.names().find("old/brief").orElseThrow().expires()).isPresent();
      assertThat(pool.map("old/brief", String.class, String.class)).containsOnlyKeys(KEY + "brief");
      assertThat(pool.deque("old/lines", String.class))
          .containsExactly(VALUE + 1, VALUE + 2, VALUE + 1);
      assertThat(pool.verify().isClean()).as("%s", pool.verify()).isTrue();
    }
  }

  /** The lines of the elements of a name. */
  private List<String> exported(Target target, String name) throws IOException {
    Path file = parent.resolve("export");
    String unused = out(target, "export", store, name, file, "--values");
    List<String> lines = Files.readAllLines(file);
    return lines.stream().filter(line -> line.contains(KEY)).toList();
  }

  private Rockpool open(Target target) {
    return target == Target.CLEAR
        ? Rockpool.open(store)
        : Rockpool.at(store).encryption(Encryption.with(KeyProviders.file(keys))).open();
  }

  @Test
  void whatCannotHideItsKeysIsLeftOut() throws Exception {
    String longest = "k".repeat(LONGEST);
    try (RedisSource redis = server.connect()) {
      redis.call("ZADD", "ranks", "1.5", KEY + "ann");
      redis.call("SET", longest, "fits");
      redis.call("SET", longest + "k", "does not fit");
    }
    CommandRun ran = load(Target.VALUES_AND_KEYS);
    assertThat(ran.code()).as(ran.err()).isEqualTo(RockpoolCommand.NO);
    assertThat(ran.err().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("\"ranks\" was left out: The keys of \"old/ranks\" cannot"))
        .anyMatch(line -> line.contains(longest + "k\" was left out: "));
    assertThat(out(Target.VALUES, "ls", store, "--format=json")).doesNotContain("ranks");
    assertHasLongest(longest);
    assertThat(filesHave(store, KEY)).isFalse();
  }

  private void assertHasLongest(String longest) {
    try (Rockpool pool = open(Target.VALUES)) {
      assertThat(pool.map("old", String.class, String.class))
          .hasSize(ELEMENTS + 2)
          .containsEntry(longest, "fits");
    }
  }

  /** Keys that are in the clear already would not become encrypted. */
  @Test
  void namesWithClearKeysAreRefused() throws Exception {
    load(Target.VALUES, "--match", "stock").assertDone();
    load(Target.VALUES_AND_KEYS).assertRefused("The keys of \"old/stock\" are in the clear");
    assertThat(out(Target.VALUES, "ls", store, "--format=json").lines()).hasSize(1);
    out(Target.VALUES, "drop", store, "old/stock", "--write");
    load(Target.VALUES_AND_KEYS).assertDone();
    assertThat(out(Target.VALUES, "info", store, "old/stock")).contains("values and keys\n");
  }

  @Test
  void keysOfNamesElsewhere() throws Exception {
    Path dataKeys = parent.resolve("data-keys");
    load(Target.VALUES_AND_KEYS, "--data-keys", dataKeys).assertDone();
    assertThat(filesHave(store, KEY)).isFalse();
    assertThat(filesHave(dataKeys, KEY)).isFalse();
    assertThat(out(Target.VALUES, "get", store, "old", KEY + 7, "--data-keys", dataKeys))
        .contains(VALUE + 7);
    run(Target.VALUES, "get", store, "old", KEY + 7).assertRefused("key");
  }
}

package io.rockpool.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.engine.EngineOptions;
import io.rockpool.engine.Expiry;
import io.rockpool.engine.Layout;
import io.rockpool.engine.RowRecord;
import io.rockpool.engine.Space;
import io.rockpool.engine.SpaceSpec;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One process at a time sweeps what any process can sweep, also what an ended one left. */
@Needs(Tool.REDIS)
final class UpkeepOwnerTest {
  private static final EngineOptions OPTIONS =
      new EngineOptions(InstantSource.system(), null, Map.of());

  /** The clock of a process that opens a minute later. */
  private static final EngineOptions LATER =
      new EngineOptions(() -> Instant.now().plus(Duration.ofMinutes(1)), null, Map.of());

  private static final SpaceSpec SPEC = new SpaceSpec("shop/cache", Layout.ENTRIES, Map.of());
  private static final int ENTRIES = 2_000;
  private static final String NOTE = "rockpool:{names}:sweep";

  private static void fill(Space space) {
    space.putAll(
        IntStream.range(0, ENTRIES)
            .mapToObj(i -> ByteBuffer.allocate(Integer.BYTES).putInt(i).array())
            .map(key -> new RowRecord(key, Space.NO_SORT_KEY, key, Expiry.NEVER))
            .toList());
  }

  private static int keys(RedisServer server) {
    return Integer.parseInt(server.command("DBSIZE"));
  }

  @Test
  void oneProcessSweepsUntilItIsSilent() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisEngine one = RedisEngine.open(server.uri(""), OPTIONS);
        RedisEngine other = RedisEngine.open(server.uri(""), OPTIONS)) {
      assertThat(one.garbage().own()).isTrue();
      assertThat(other.garbage().own()).isFalse();
      assertThat(one.garbage().own()).isTrue();
      long millis = Long.parseLong(server.command("PTTL", "rockpool:{owner}").strip());
      assertThat(millis).isBetween(30 * 60_000L, 40 * 60_000L);

      assertThat(other.reclaim()).isNotNull(); // what is no entry stays
      assertThat(other.garbage().own()).isFalse();
      one.close();
      server.command("PEXPIRE", "rockpool:{owner}", "1");
      RedisServer.awaitAnswer(() -> other.garbage().own());
      try (RedisEngine third = RedisEngine.open(server.uri(""), OPTIONS)) {
        assertThat(third.garbage().own()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"clear", "drop", "dropAll", "reset"})
  void theNextProcessRemovesWhatAnEndedOneLeft(String how) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      try (RedisEngine ended = RedisEngine.open(server.uri(""), OPTIONS)) {
        Space space = ended.create(SPEC);
        fill(space);
        switch (how) {
          case "clear" -> space.clear();
          case "drop" -> assertThat(ended.catalog().drop(SPEC.name())).isNotNull();
          case "dropAll" -> assertThat(ended.catalog().dropAll("shop")).hasSize(1);
          default -> assertThat(ended.catalog().reset(SPEC, 1)).isNotNull();
        }
      }
      assertThat(keys(server)).isGreaterThan(ENTRIES);
      try (RedisEngine next = RedisEngine.open(server.uri(""), LATER)) {
        RedisServer.awaitAnswer(() -> keys(server) < ENTRIES);
        RedisServer.awaitAnswer(() -> server.command("EXISTS", NOTE).equals("0"));
        assertThat(next.list("")).hasSize(how.startsWith("drop") ? 0 : 1);
      }
    }
  }

  @Test
  void oneProcessSweepsWhatWasLeftAndKeepsTheNoteOfALaterClear() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisEngine one = RedisEngine.open(server.uri(""), OPTIONS);
        RedisEngine two = RedisEngine.open(server.uri(""), LATER);
        RedisEngine three = RedisEngine.open(server.uri(""), LATER)) {
      Space space = one.create(SPEC);
      DueSweep due = two.garbage().due();
      assertThat(due.claim()).isFalse();
      space.clear();
      assertThat(one.garbage().due().claim()).as("who clears is first").isFalse();
      assertThat(due.claim()).isTrue();
      assertThat(three.garbage().due().claim()).as("claimed").isFalse();

      byte[] note = due.read();
      space.clear();
      due.done(note);
      assertThat(server.command("EXISTS", NOTE)).isEqualTo("1");
      assertThat(two.reclaim()).isNotNull();
      assertThat(server.command("EXISTS", NOTE)).isEqualTo("0");
    }
  }
}

package io.rockpool.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rockpool.Rockpool;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Seeds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.RedisProcess;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random operations on maps, values, counters, sets, scored sets and deques of a store on disk, and
 * on the values of a real Redis server, with transactions that commit or roll back, and with
 * reopening.
 */
@Slow
@Needs(Tool.REDIS)
class RedisComparisonTest {
  private static final int OPERATIONS = Rounds.of(2_500, 150_000);

  /** It has {@code LMPOP}, {@code ZMPOP}, {@code SINTERCARD} and their siblings. */
  private static final int OLDEST_VERSION = 7;

  private static final int MOST_IN_A_TRANSACTION = 6;
  private static final List<String> SECTIONS =
      List.of("Counter", "Deque", "Map", "Scored set", "Set", "Value");

  /**
   * Commands of newer servers, whose times to live of fields are those of strings here; and what
   * concerns a whole server, or the millisecond where seconds are compared.
   */
  private static final Set<String> NOT_RUN =
      Set.of(
          "HSETEX",
          "HGETDEL",
          "HPERSIST",
          "HPEXPIRE",
          "HPEXPIREAT",
          "HPTTL",
          "DELIFEQ",
          "PEXPIREAT",
          "DBSIZE",
          "FLUSHDB",
          "SCAN");

  @TempDir Path directory;

  @Test
  void collectionsDoWhatRedisDoes() throws Exception {
    Set<String> used = new TreeSet<>();
    // It looks for timeouts of blocking commands 10 times a second by default.
    try (RedisProcess server = RedisProcess.start("--hz", "500")) {
      for (long seed : Seeds.all().toArray()) {
        try (RedisClient redis = new RedisClient(server.port())) {
          assumeTrue(redis.version() >= OLDEST_VERSION, "the Redis server is too old");
          redis.call("FLUSHALL");
          run(redis, seed);
          used.addAll(redis.used());
        }
      }
    }
    List<String> listed = CommandTable.commands(SECTIONS);
    assertThat(listed).hasSizeGreaterThan(60);
    assertThat(NOT_RUN).isSubsetOf(listed);
    assertThat(used).containsAll(listed.stream().filter(each -> !NOT_RUN.contains(each)).toList());
  }

  private void run(RedisClient redis, long seed) throws Exception {
    Path store = Files.createDirectory(directory.resolve("store-" + seed));
    List<ComparedType> types =
        List.of(
            new ComparedDeques(redis),
            new ComparedScoredSets(redis),
            new ComparedSets(redis),
            new ComparedHashes(redis),
            new ComparedStrings(redis),
            new ComparedSingles(redis));
    Random random = new Random(seed);
    int done = 0;
    Rockpool pool = open(store, types);
    try {
      while (done < OPERATIONS) {
        ComparedType type = types.get(random.nextInt(types.size()));
        int kind = random.nextInt(400);
        if (kind == 0) {
          pool.close();
          pool = open(store, types);
          compare(types);
        } else if (kind < 60) {
          done += transaction(pool, redis, types, random);
        } else {
          type.run(random, false);
          done++;
        }
        if (kind % 20 == 0) {
          compare(List.of(type));
        }
      }
      compare(types);
      assertThat(pool.verify().isClean()).isTrue();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "Failed with seed "
              + seed
              + " after "
              + done
              + " operations. The last calls of Redis: "
              + String.join("\n  ", redis.log()),
          e);
    } finally {
      pool.close();
    }
  }

  private static Rockpool open(Path store, List<ComparedType> types) {
    Rockpool pool = Rockpool.open(store);
    types.forEach(type -> type.open(pool));
    return pool;
  }

  private static void compare(List<ComparedType> types) {
    for (ComparedType type : types) {
      for (int i = 0; i < type.keys().size(); i++) {
        type.compare(i);
      }
    }
  }

  /** Runs operations on all types in one transaction; half of them roll back. */
  private static int transaction(
      Rockpool pool, RedisClient redis, List<ComparedType> types, Random random) {
    int operations = 1 + random.nextInt(MOST_IN_A_TRANSACTION);
    boolean commits = random.nextBoolean();
    Map<String, Dumped> before = dump(redis, types);
    AtomicInteger runs = new AtomicInteger();
    Runnable transaction =
        () ->
            pool.atomically(
                tx -> {
                  assertThat(runs.incrementAndGet()).as("runs without a conflict").isEqualTo(1);
                  for (int i = 0; i < operations; i++) {
                    types.get(random.nextInt(types.size())).run(random, true);
                  }
                  if (!commits) {
                    throw new RolledBackException();
                  }
                  return true;
                });
    if (commits) {
      transaction.run();
    } else {
      assertThatThrownBy(transaction::run).isInstanceOf(RolledBackException.class);
      before.forEach((key, value) -> restore(redis, key, value));
    }
    compare(types);
    return operations;
  }

  private static final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Redis has no roll-back: its values are copied before the transaction. */
  private static Map<String, Dumped> dump(RedisClient redis, List<ComparedType> types) {
    Map<String, Dumped> values = new LinkedHashMap<>();
    types.forEach(
        type ->
            type.keys()
                .forEach(
                    key ->
                        values.put(
                            key, new Dumped(redis.text("DUMP", key), redis.number("PTTL", key)))));
    return values;
  }

  /** A value of Redis, and how long it has to live; not positive for ever. */
  private record Dumped(@Nullable String value, long millis) {}

  private static void restore(RedisClient redis, String key, Dumped dumped) {
    if (dumped.value() == null) {
      redis.call("DEL", key);
    } else {
      redis.call("RESTORE", key, Math.max(0, dumped.millis()), dumped.value(), "REPLACE");
    }
  }
}

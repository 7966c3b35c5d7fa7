package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills processes that change a cache while its writer fails at random. In the end the target
 * equals the cache, the cache has every change that was acknowledged, and nothing was written twice
 * in a row without need.
 */
@Slow
class WriteBehindCrashTest {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBehindCrashTest.class);
  private static final int KILLS = Rounds.of(4, 500);

  /** How many kills are between two checks. */
  private static final int PERIOD = 25;

  private static final int MAX_WORKING_MILLIS = 400;
  private static final long SEED = 64;

  @TempDir Path directory;

  /** The states that a key may have: that of the last change, and that of one not acknowledged. */
  private final Map<String, Set<String>> states = new HashMap<>();

  @Test
  void theTargetEqualsTheCacheInTheEnd() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int changes = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      run(kill, random);
      if (kill % PERIOD == 0 || kill == KILLS) {
        changes = check();
        LOG.info("{} kills, {} changes written", kill, changes);
      }
    }
    assertThat(changes).isGreaterThan(KILLS);
    FaultLog.write(
        FaultLog.Kind.KILL,
        "A process with a write-behind cache is killed",
        KILLS,
        Long.toString(SEED),
        FaultLog.number(changes) + " written changes; in the end the target equals the cache",
        "nothing");
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Path target() {
    return directory.resolve("target");
  }

  private void run(int seed, SplittableRandom random) throws IOException, InterruptedException {
    try (Child victim =
        Child.start(BehindVictim.class, Killing.QUIET, store(), target(), Integer.toString(seed))) {
      boolean working = false;
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        if (line.equals(BehindVictim.AT_WORK)) {
          working = true;
          killAfter(victim, random.nextInt(MAX_WORKING_MILLIS));
        } else {
          assertThat(line).isNotEqualTo(BehindVictim.FAILED);
          note(line.split(" ", -1));
        }
      }
      assertThat(working).as("whether the victim worked").isTrue();
    }
  }

  private static void killAfter(Child victim, int millis) {
    Thread killer =
        new Thread(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(millis);
                victim.kill();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    killer.setDaemon(true);
    killer.start();
  }

  private void note(String[] said) {
    if (said.length != 3) {
      return; // cut by the kill: a change that may have been made was announced in whole before
    }
    if (said[0].equals("did")) {
      states.put(said[1], new HashSet<>(Set.of(said[2])));
    } else {
      states
          .computeIfAbsent(said[1], key -> new HashSet<>(Set.of(BehindVictim.REMOVED)))
          .add(said[2]);
    }
  }

  /** Writes what is pending, and compares; returns how many changes were written in all. */
  private int check() throws IOException, InterruptedException {
    LoggedTarget target = new LoggedTarget(target(), LoggedTarget.RELIABLE);
    try (Rockpool pool = Rockpool.open(store())) {
      PersistentCache<String, String> cache =
          pool.cache("c", String.class, String.class, o -> BehindVictim.options(o, target));
      assertThat(cache.writeBehind().flush(Duration.ofSeconds(30))).isTrue();
      assertThat(cache.writeBehind().pending()).isZero();
      LoggedTarget.Content written = LoggedTarget.read(target());
      assertThat(written.content()).isEqualTo(new HashMap<>(cache.asMap()));
      assertThat(written.repeated()).isEmpty();
      states.forEach(
          (key, expected) -> {
            String value = cache.get(key);
            assertThat(expected).as(key).contains(value == null ? BehindVictim.REMOVED : value);
          });
      return written.changes();
    } finally {
      target.close();
    }
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that pays numbers once is killed at random instants: each was paid once. */
@Slow
@Tag("encrypted")
final class OnceCrashTest {
  private static final int ROUNDS = Integer.getInteger("rockpool.test.onceRounds", 5);
  private static final long MAX_WORKING_NANOS = 300_000_000;

  @TempDir Path directory;

  @Test
  @Timeout(300)
  void eachFunctionHadItsEffectsOnce() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Map<Integer, Long> said = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      String context = "seed %d, round %d".formatted(seed, round);
      runAndKill(random.nextLong(MAX_WORKING_NANOS), said);
      try (Rockpool pool = Rockpool.open(directory)) {
        PersistentMap<Integer, Integer> payments = Payer.payments(pool);
        assertThat(payments.values()).as(context).containsOnly(1);
        assertThat(Payer.total(pool).get()).as(context).isEqualTo(payments.size());
        assertThat(payments.keySet()).as(context).containsAll(said.keySet());
        for (int number : payments.keySet()) {
          long result = pool.<Long>once(Payer.key(number), Payer.KEPT, tx -> -1L);
          assertThat(said.getOrDefault(number, result))
              .as("%s: the result of %d", context, number)
              .isEqualTo(result)
              .isPositive();
        }
      }
    }
    assertThat(said).hasSizeGreaterThan(ROUNDS);
    FaultLog.write(
        FaultLog.Kind.KILL,
        "A process that runs functions once is killed",
        ROUNDS,
        Long.toString(seed),
        FaultLog.number(said.size()) + " functions had their effect once",
        "nothing");
  }

  private void runAndKill(long workingNanos, Map<Integer, Long> said) throws Exception {
    try (Child payer = Child.start(Payer.class, Killing.QUIET, directory)) {
      Thread killer = null;
      for (String line = payer.readLine(); line != null; line = payer.readLine()) {
        String[] words = line.split(" ", -1);
        if (words.length == 2) { // the last line may be cut
          Long before = said.putIfAbsent(Integer.valueOf(words[0]), Long.valueOf(words[1]));
          assertThat(before == null ? words[1] : before.toString()).isEqualTo(words[1]);
        }
        if (killer == null) {
          killer = new Thread(() -> kill(payer, workingNanos));
          killer.start();
        }
      }
      assertThat(killer).as("the process worked").isNotNull();
      killer.join();
    }
  }

  /** What it has said can still be read, unlike after {@link Child#close}. */
  private static void kill(Child payer, long workingNanos) {
    LockSupport.parkNanos(workingNanos);
    try {
      payer.kill();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

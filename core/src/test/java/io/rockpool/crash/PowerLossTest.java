package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.store.Durability;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.FakeClock;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power fails at random instants of a process' life: its system calls are played again up to
 * there, and what was not forced to the disk is dropped, or some of it kept. Whatever the
 * durability, the store opens, is whole, and each thread's home is as after some of its first
 * steps; with {@code SYNC}, after all that it had said; with {@code PERIODIC}, after all that it
 * had said before the log was forced last, and some seconds ago. {@code -Drockpool.test.powerCuts}
 * says how often.
 */
@Slow
@Needs(Tool.STRACE)
final class PowerLossTest {
  private static final int CUTS = Integer.getInteger("rockpool.test.powerCuts", 4);

  private static final long WORKING_MILLIS = 400;

  /** Long enough for the log to be forced now and then by the clock. */
  private static final long PERIODIC_MILLIS = 6_000;

  /**
   * The second that is the period, and what a traced process takes to force the log: on a busy
   * machine, unless it is said that this one is not.
   */
  private static final Duration MAX_PERIODIC_LOSS =
      Duration.ofMillis(Long.getLong("rockpool.test.periodicLossMillis", 4_000));

  private static final Duration CHECKED_AFTER = Duration.ofMinutes(30);

  @TempDir Path parent;
  private final long startMillis = new FakeClock().millis();
  private boolean logOnly;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void whatWasForcedIsThere(Durability durability) throws Exception {
    long seed = Long.getLong("rockpool.test.seed", System.nanoTime());
    Random random = new Random(seed);
    logOnly = durability == Durability.PERIODIC; // forced by the clock alone
    long millis = logOnly ? PERIODIC_MILLIS : WORKING_MILLIS;
    Victim.Orders orders =
        new Victim.Orders(
            parent.resolve("store"), durability, logOnly, !logOnly, 0, millis, startMillis, seed);
    TracedRun run = TracedRun.of(orders, parent.resolve("calls"));
    int allSaid = 0;
    int mostLost = 0;
    int first = run.firstStep();
    for (int cut = 0; cut < CUTS; cut++) {
      int place = first + random.nextInt(run.end() - first);
      boolean onlyForced = random.nextBoolean();
      Path lost = parent.resolve("lost-" + cut);
      SyncedLog log = run.powerLost(orders.directory(), place, onlyForced ? null : random, lost);
      int[] said = run.saidBefore(place);
      int[] sure =
          switch (durability) {
            case SYNC -> said;
            case PERIODIC ->
                more(run.saidBefore(log.sureBefore()), run.saidBefore(place, MAX_PERIODIC_LOSS));
            case BUFFERED -> new int[Victim.THREADS];
          };
      String where =
          "%s, seed %d, power lost at %d of %d, %s"
              .formatted(
                  durability, seed, place, run.end(), onlyForced ? "forced only" : "some more");
      int[] kept = check(lost, seed, sure, said, where);
      allSaid += IntStream.of(said).sum();
      mostLost =
          Math.max(mostLost, IntStream.range(0, said.length).map(i -> said[i] - kept[i]).sum());
    }
    FaultLog.write(
        FaultLog.Kind.POWER,
        "The power fails, durability " + durability,
        CUTS,
        Long.toString(seed),
        FaultLog.number(allSaid) + " acknowledged steps; the store is whole, as after some of them",
        mostLost <= 0 ? "nothing" : "the last " + FaultLog.number(mostLost) + " steps at most");
  }

  private static int[] more(int[] one, int[] other) {
    return IntStream.range(0, one.length).map(i -> Math.max(one[i], other[i])).toArray();
  }

  /** Returns how many steps of each thread are there. */
  private int[] check(Path store, long seed, int[] sure, int[] said, String where) {
    int[] kept = new int[Victim.THREADS];
    long millis = startMillis + CHECKED_AFTER.toMillis();
    FakeClock clock = new FakeClock();
    clock.setMillis(millis);
    try (Rockpool pool = Rockpool.at(store).clock(clock).open()) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).as(where).isZero();
      for (int thread = 0; thread < Victim.THREADS; thread++) {
        SortedMap<String, Object> found = new Home(pool, thread).contents();
        int steps = stepsMade(found, seed, thread, sure[thread], said[thread] + 1, millis);
        assertThat(steps)
            .as("%s: thread %d had said %d steps", where, thread, said[thread])
            .isGreaterThanOrEqualTo(sure[thread]);
        kept[thread] = steps;
      }
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
      assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
    }
    return kept;
  }

  /** After how many steps a home is as it was found; -1 if after none in that range. */
  private int stepsMade(
      SortedMap<String, Object> found, long seed, int thread, int from, int to, long millis) {
    try (Model model = new Model(startMillis, Duration.ZERO, !logOnly)) {
      for (int steps = from; steps <= to; steps++) {
        if (model.after(List.of(new Stretch(0, seed, thread, steps)), millis).equals(found)) {
          return steps;
        }
      }
      return -1;
    }
  }
}

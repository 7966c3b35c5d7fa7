package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Child;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts victims, and kills each as {@code kill -9} does. */
final class Killing implements AutoCloseable {
  private static final long MAX_WORKING_MILLIS = 500;
  private static final long MAX_CLOSING_MICROS = 30_000;
  private static final int MAX_SWEEPS = 60;
  private static final long MAX_SWEEPING_MICROS = 1_500;

  /** Within so long what a cache has too much is evicted and merged away. */
  private static final long MAX_EVICTING_MICROS = 40_000;

  /** By then it hangs, or the machine does. */
  private static final long MAX_LIFE_SECONDS = 60;

  private static final int KILLED = 128 + 9;

  /** What it says is for people; the errors, which are asked for, are in other ways. */
  static final List<String> QUIET = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "killer");
            thread.setDaemon(true);
            return thread;
          });

  /** How long the victims before took to open the store. */
  private long openingMillis = 500;

  /**
   * What a victim has said to be done.
   *
   * @param steps how many of each thread
   * @param crowds how many rounds of the crowded cache
   * @param evictions how many times that was made smaller afterwards
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Said(int[] steps, int crowds, int evictions) {}

  /** Lets a victim work, kills it, and returns what it has said. */
  Said run(Victim.Orders orders, Moment moment, SplittableRandom random)
      throws IOException, InterruptedException {
    int[] steps = new int[Victim.THREADS];
    int crowds = 0;
    int evictions = 0;
    long started = System.nanoTime();
    int sweeps = 1 + random.nextInt(MAX_SWEEPS);
    try (Child victim = Child.start(Victim.class, QUIET, orders.arguments())) {
      killAfter(victim, TimeUnit.SECONDS.toMicros(MAX_LIFE_SECONDS));
      if (moment == Moment.OPENING) {
        killAfter(victim, openingMillis * (400 + random.nextInt(700)));
      }
      for (String line = victim.readLine(); line != null; line = victim.readLine()) {
        switch (line) {
          case Victim.OPEN ->
              openingMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
          case Victim.AT_WORK -> {
            if (moment == Moment.WORKING) {
              killAfter(victim, random.nextLong(MAX_WORKING_MILLIS * 1_000));
            }
          }
          case Victim.SWEEPING -> {
            if (moment == Moment.SWEEPING && --sweeps == 0) {
              killAfter(
                  victim,
                  random.nextLong(
                      random.nextBoolean() ? MAX_SWEEPING_MICROS : MAX_EVICTING_MICROS));
            }
          }
          case Victim.CROWDED -> crowds++;
          case Victim.EVICTED -> {
            evictions++;
            if (moment == Moment.EVICTING && evictions == 1) {
              killAfter(victim, random.nextLong(MAX_EVICTING_MICROS));
            }
          }
          case Victim.CLOSING -> killAfter(victim, random.nextLong(MAX_CLOSING_MICROS));
          case Victim.FAILED -> throw new AssertionError("A victim failed; see what it printed.");
          default -> steps[Integer.parseInt(line)]++;
        }
      }
      long life = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
      assertThat(life).as("seconds that a victim lived").isLessThan(MAX_LIFE_SECONDS);
      int exit = victim.waitFor();
      if (moment != Moment.CLOSING || exit != 0) {
        assertThat(exit).as("exit of a victim that was to die at %s", moment).isEqualTo(KILLED);
      }
    }
    return new Said(steps, crowds, evictions);
  }

  private void killAfter(Child victim, long micros) {
    Future<?> unused =
        timer.schedule(
            () -> {
              victim.kill();
              return victim;
            },
            micros,
            TimeUnit.MICROSECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

package io.rockpool.compatibility.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.compatibility.machines.MachineOperation.Ending;
import io.rockpool.compatibility.machines.StalenessChecker.Pause;
import io.rockpool.error.OutcomeUnknownException;
import io.rockpool.error.ServerUnavailableException;
import io.rockpool.testing.FaultLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Three machines work on one server, round after round. Each round has one fault. At its end, all
 * that the machines have seen, and what is there, must have an explanation.
 */
final class FaultCampaign implements AutoCloseable {
  private static final long CLOCK_AHEAD_MILLIS = TimeUnit.MINUTES.toMillis(5);
  private static final long STOPPED_MILLIS = 5_000;

  /** Longer than memory may be old, so that all reads at the end of a round are new enough. */
  private static final long AFTER_LOSS_MILLIS = 3_000;

  /** Longer than a read may be old, and than a call of Redis waits. */
  private static final long PARTED_MILLIS = 3_500;

  private static final long SLOW_MILLIS = 2_000;
  private static final long LINK_MILLIS = 100;

  /** Much longer than a read may be old: a machine, or its server, may be held up. */
  private static final long AGREEMENT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final FaultTarget target;
  private final boolean collections;
  private final Duration bound;
  private final Path logs;

  /** By the names of classes: a class here would make each campaign a test of all servers. */
  private static final Map<String, String> TARGETS =
      Map.of(
          "FaultyPostgres", "PostgreSQL",
          "FaultyRedis", "Redis",
          "PostgresPair", "PostgreSQL with a synchronous standby",
          "RedisGroup", "Redis Cluster",
          "RedisPair", "Redis with a sentinel");

  private final Random random;
  private final long seed;
  private final List<RemoteMachine> machines = new ArrayList<>();
  private final Map<ServerFault, Tally> tallies = new EnumMap<>(ServerFault.class);
  private final Rockpool reader;
  private int round;

  /** What the rounds of one fault have seen. */
  private static final class Tally {
    private int rounds;
    private long returned;
    private long unknown;
    private long notMade;
    private long worstNanos;
    private long once;
    private int disturbed;
    private final List<Integer> lost = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d rounds, %,d calls returned, %,d of unknown outcome, %,d not made, oldest read %,d ms,"
              + " %,d acknowledged puts of which %,d were lost, by round %s, %d violations,"
              + " %d rounds disturbed",
          rounds,
          returned,
          unknown,
          notMade,
          TimeUnit.NANOSECONDS.toMillis(worstNanos),
          once,
          lost.stream().mapToInt(Integer::intValue).sum(),
          lost.stream().filter(count -> count > 0).sorted().toList(),
          violations.size(),
          disturbed);
    }
  }

  /**
   * Starts the machines.
   *
   * @param collections whether the server keeps collections
   * @param bound how old a read of a hot tier may be
   */
  FaultCampaign(FaultTarget target, boolean collections, Duration bound, Path logs, long seed)
      throws IOException {
    this.target = target;
    this.collections = collections;
    this.bound = bound;
    this.logs = logs;
    this.seed = seed;
    this.random = new Random(seed);
    reader = Rockpool.at(target.uri(target.port())).open();
    tidy(); // so that the caches are there before the first fault
    for (int number = 0; number < MachineWork.MACHINES; number++) {
      machines.add(new RemoteMachine(target, number, logs));
    }
  }

  /** Runs rounds of each fault in turn, and says what they have seen. */
  void run(int roundsOfEach, List<ServerFault> faults, Consumer<String> log)
      throws IOException, InterruptedException {
    for (int i = 0; i < roundsOfEach; i++) {
      for (ServerFault fault : faults) {
        round(fault, log);
      }
    }
    tallies.forEach((fault, tally) -> log.accept(fault + ": " + tally));
    for (Map.Entry<ServerFault, Tally> each : tallies.entrySet()) {
      assertThat(each.getValue().violations).as("%s", each.getKey()).isEmpty();
    }
    tallies.forEach(this::report);
  }

  private void report(ServerFault fault, Tally tally) {
    int lost = tally.lost.stream().mapToInt(Integer::intValue).sum();
    FaultLog.write(
        FaultLog.Kind.SERVER,
        TARGETS.get(target.getClass().getSimpleName())
            + ": "
            + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        tally.rounds,
        Long.toString(seed),
        FaultLog.number(tally.returned) + " calls of " + MachineWork.MACHINES + " machines",
        lost == 0 ? "nothing" : FaultLog.number(lost) + " of " + FaultLog.number(tally.once));
  }

  private void round(ServerFault fault, Consumer<String> log)
      throws IOException, InterruptedException {
    round++;
    for (RemoteMachine machine : machines) {
      machine.work(round);
    }
    rest(300, 700);
    Loss loss = inject(fault, machines.get(random.nextInt(machines.size())));
    rest(300, 600);
    if (loss != null) {
      rest(AFTER_LOSS_MILLIS, AFTER_LOSS_MILLIS + 1);
    }
    for (RemoteMachine machine : machines) {
      machine.stopWork();
    }
    MachineHistory history = new MachineHistory(round, logs.resolve(Integer.toString(round)));
    List<Pause> pauses = PauseLog.readAll(logs);
    patiently(() -> check(history, pauses, loss));
    checkAgreement(history);
    Tally tally = tallies.computeIfAbsent(fault, any -> new Tally());
    tally.rounds++;
    tally.returned += history.returned();
    tally.unknown += history.ended(Ending.UNKNOWN);
    tally.notMade += history.ended(Ending.NOT_MADE);
    if (loss == null) {
      tally.worstNanos = Math.max(tally.worstNanos, history.worstNanos(pauses));
    }
    tally.once += history.once();
    tally.lost.add(history.lost());
    if (target.isDisturbed()) {
      tally.disturbed++;
      history.violations().clear();
    }
    for (String violation : history.violations()) {
      tally.violations.add("round " + round + ": " + violation);
      log.accept(fault + " in round " + round + ": " + violation);
    }
    log.accept(
        String.format(
            Locale.ROOT,
            "round %d, %s: %,d calls returned, %d unknown, %d not made, %d lost",
            round,
            fault,
            history.returned(),
            history.ended(Ending.UNKNOWN),
            history.ended(Ending.NOT_MADE),
            history.lost()));
    target.repair();
    patiently(this::tidy); // a master may take no writes without its replica
  }

  private void check(MachineHistory history, List<Pause> pauses, @Nullable Loss loss) {
    history.violations().clear();
    history.addFailures();
    history.checkCaches(reader, bound.toNanos(), pauses, loss);
    if (collections) {
      history.checkCollections(reader);
    }
  }

  /** All machines read what the server has in the end; how soon, the history shows. */
  private void checkAgreement(MachineHistory history) throws IOException {
    List<String> there = MachineWork.lastHot(reader, round);
    long end = System.nanoTime() + AGREEMENT_NANOS;
    for (RemoteMachine machine : machines) {
      List<String> read = machine.read(round);
      while (!read.equals(there) && System.nanoTime() < end) {
        read = machine.read(round);
      }
      for (int i = 0; i < there.size(); i++) {
        if (!read.get(i).equals(there.get(i))) {
          history
              .violations()
              .add(
                  "machine %d reads %s at the end, the server has %s"
                      .formatted(machine.number(), read.get(i), there.get(i)));
        }
      }
    }
  }

  private void tidy() {
    if (collections) {
      for (String name : List.of("bank", "ledger", "deque", "queue")) {
        boolean unused = reader.names().drop(MachineWork.name(name, round));
      }
    }
    MachineWork.cold(reader).clear();
    MachineWork.hot(reader).clear();
  }

  /** The reader's connections are lost with the server's, too. */
  private static void patiently(Runnable work) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        work.run();
        return;
      } catch (ServerUnavailableException | OutcomeUnknownException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private @Nullable Loss inject(ServerFault fault, RemoteMachine machine)
      throws IOException, InterruptedException {
    switch (fault) {
      case KILL_MACHINE -> {
        machine.kill();
        rest(50, 500);
        machine.restart(0);
        machine.work(round);
      }
      case PARTITION -> {
        machine.network().part(true);
        rest(PARTED_MILLIS, PARTED_MILLIS + 1);
        machine.network().part(false);
      }
      case STOP_MACHINE -> {
        machine.pause();
        rest(STOPPED_MILLIS, STOPPED_MILLIS + 1);
        machine.goOn();
      }
      case SLOW_LINK -> {
        machine.network().delay(LINK_MILLIS);
        rest(SLOW_MILLIS, SLOW_MILLIS + 1);
        machine.network().delay(0);
      }
      case WRONG_CLOCK -> {
        machine.kill();
        machine.restart(random.nextBoolean() ? CLOCK_AHEAD_MILLIS : -CLOCK_AHEAD_MILLIS);
        machine.work(round);
      }
      default -> {
        return target.fail(fault, random);
      }
    }
    return null;
  }

  private void rest(long fromMillis, long toMillis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(fromMillis + random.nextLong(toMillis - fromMillis));
  }

  @Override
  public void close() throws IOException {
    for (RemoteMachine machine : machines) {
      machine.close();
    }
    reader.close();
  }
}

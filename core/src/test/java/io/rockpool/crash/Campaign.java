package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.store.Durability;
import io.rockpool.store.VerifyOptions;
import io.rockpool.store.VerifyReport;
import io.rockpool.testing.FakeClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Kills process after process on one store, and looks after each what is there. Each thread has a
 * home of its own, which must be as after the steps that it has said, or after one more: nothing
 * lost, nothing back again, no step half made.
 */
final class Campaign implements AutoCloseable {
  /** In turn. */
  private static final List<Durability> DURABILITIES =
      List.of(Durability.BUFFERED, Durability.PERIODIC, Durability.SYNC);

  /** One is killed at that moment for sure, and no other, as it takes seconds to come. */
  private static final int EVICTING_ROUND = 1;

  private static final Duration CHECKED_AFTER = Duration.ofMinutes(30);

  private final Path directory;
  private final long seed;
  private final boolean systemClock;
  private final SplittableRandom random;
  private final Killing killing = new Killing();
  private final long startMillis = new FakeClock().millis();
  private final Duration betweenRounds;
  private final List<Model> models = new ArrayList<>();

  /** Of each thread, all the steps that it may have made; one possibility after each look. */
  private final List<List<List<Stretch>>> possible = new ArrayList<>();

  /** The last round of the crowded cache that was said to be put, and the last that was begun. */
  private int crowdSaid = -1;

  private int crowdBegun = -1;

  private long acknowledged;
  private long evicted;
  private int evictions;

  /**
   * A campaign on a store that is not there yet.
   *
   * @param systemClock whether the store has the system's clock, by which RocksDB itself removes
   *     what has expired; else it has one that goes on by an hour from round to round
   */
  Campaign(Path directory, long seed, boolean systemClock) {
    this.directory = directory;
    this.seed = seed;
    this.systemClock = systemClock;
    this.random = new SplittableRandom(seed);
    this.betweenRounds = systemClock ? Duration.ZERO : Duration.ofHours(1);
    for (int thread = 0; thread < Victim.THREADS; thread++) {
      models.add(new Model(startMillis, betweenRounds, true));
      possible.add(List.of(List.of()));
    }
  }

  /** How many steps were acknowledged in all rounds. */
  long acknowledged() {
    return acknowledged;
  }

  /** How many entries of the crowded cache were gone, in all looks at it. */
  long evicted() {
    return evicted;
  }

  /** In how many rounds entries of the crowded cache had been evicted before the kill. */
  int evictions() {
    return evictions;
  }

  void run(int rounds) throws IOException, InterruptedException {
    List<Moment> moments = IntStream.range(0, rounds).mapToObj(this::moment).toList();
    for (int round = 0; round < rounds; round++) {
      kill(round, moments.get(round));
      // Who is to die while it opens the store shall find it as the one before has left it.
      if (round + 1 == rounds || moments.get(round + 1) != Moment.OPENING) {
        check(round);
      }
    }
  }

  private Moment moment(int round) {
    if (round == 0) {
      return Moment.WORKING;
    }
    if (round == EVICTING_ROUND) {
      return Moment.EVICTING;
    }
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> Moment.WORKING;
      case 3, 4, 5 -> Moment.SWEEPING;
      case 6, 7 -> Moment.OPENING;
      default -> Moment.CLOSING;
    };
  }

  private void kill(int round, Moment moment) throws IOException, InterruptedException {
    Durability durability = DURABILITIES.get(round % DURABILITIES.size());
    long roundSeed = seed + round;
    boolean reclaims = moment == Moment.EVICTING || random.nextBoolean();
    Victim.Orders orders =
        new Victim.Orders(
            directory,
            durability,
            false,
            reclaims,
            crowdBegun + 1,
            moment == Moment.CLOSING ? random.nextInt(200) : Victim.NEVER_CLOSES,
            systemClock ? Victim.Orders.SYSTEM_CLOCK : beginMillis(round),
            roundSeed);
    Killing.Said said = killing.run(orders, moment, random);
    acknowledged += Arrays.stream(said.steps()).sum();
    evictions += said.evictions() > 0 ? 1 : 0;
    if (said.crowds() > 0) {
      crowdSaid = crowdBegun + said.crowds();
    }
    if (reclaims) {
      crowdBegun += said.crowds() + 1;
    }
    for (int thread = 0; thread < Victim.THREADS; thread++) {
      Stretch sure = new Stretch(round, roundSeed, thread, said.steps()[thread]);
      possible.set(
          thread,
          possible.get(thread).stream()
              .flatMap(before -> List.of(and(before, sure), and(before, sure.oneMore())).stream())
              .toList());
    }
  }

  private static List<Stretch> and(List<Stretch> before, Stretch stretch) {
    List<Stretch> all = new ArrayList<>(before);
    all.add(stretch);
    return all;
  }

  private long beginMillis(int round) {
    return startMillis + round * betweenRounds.toMillis();
  }

  private void check(int round) {
    String where =
        "seed %d, round %d, %s clock".formatted(seed, round, systemClock ? "system's" : "own");
    long millis = beginMillis(round) + CHECKED_AFTER.toMillis();
    FakeClock clock = new FakeClock();
    clock.setMillis(millis);
    try (Rockpool pool =
        Rockpool.at(directory)
            .clock(systemClock ? InstantSource.system() : clock)
            .memoryBytes(Victim.MEMORY_BYTES)
            .open()) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).as(where).isZero();
      for (int thread = 0; thread < Victim.THREADS; thread++) {
        SortedMap<String, Object> found = new Home(pool, thread).contents();
        possible.set(thread, List.of(asFound(found, thread, millis, where)));
      }
      Map<Integer, Integer> crowd = new Crowd(pool).rounds();
      assertThat(crowd.values())
          .as("%s: rounds of what was not evicted", where)
          .allMatch(put -> put >= Math.max(0, crowdSaid) && put <= crowdBegun);
      evicted += crowdSaid < 0 ? 0 : Crowd.KEYS - crowd.size();
      VerifyReport report = pool.verify(VerifyOptions.defaults().decodeValues(true));
      assertThat(report.isClean()).as("%s: %s", where, report).isTrue();
    }
  }

  private List<Stretch> asFound(
      SortedMap<String, Object> found, int thread, long millis, String where) {
    List<List<Stretch>> possibilities = possible.get(thread);
    for (List<Stretch> steps : possibilities) {
      if (models.get(thread).after(steps, millis).equals(found)) {
        return steps;
      }
    }
    List<Stretch> surest = possibilities.get(0);
    assertThat(found)
        .as(
            "%s, thread %d, as after %s or %d others",
            where, thread, surest, possibilities.size() - 1)
        .isEqualTo(models.get(thread).after(surest, millis));
    throw new AssertionError("not reached: " + where);
  }

  @Override
  public void close() {
    killing.close();
    models.forEach(Model::close);
  }
}

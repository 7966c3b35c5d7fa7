package io.rockpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.benchmarks.Rounds.Score;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none rots. */
class SmokeTest {
  private static final int ENTRIES = 1_000;

  private static final List<Class<?>> WITH_PEERS =
      List.of(
          PeerMap.class,
          PeerSortedSet.class,
          PeerScoredSet.class,
          QueueOfferPoll.class,
          PeerQueue.class);

  @TempDir Path root;

  @BeforeEach
  void keepStoresHere() {
    System.setProperty(PreparedStore.ROOT_PROPERTY, root.toString());
  }

  @AfterEach
  void keepStoresHereNoMore() {
    System.clearProperty(PreparedStore.ROOT_PROPERTY);
  }

  @Test
  void everyBenchmarkRuns() throws RunnerException {
    ChainedOptionsBuilder options = forAMoment().include(getClass().getPackageName());
    WITH_PEERS.forEach(benchmark -> options.exclude(benchmark.getName()));
    options.exclude(SpringHot.class.getName());

    assertAllMeasured(new Runner(options.build()).run(), 66);
  }

  /** Those of them that can run here: Redis is not everywhere. */
  @ParameterizedTest
  @FieldSource("WITH_PEERS")
  void everyPeerTakesPart(Class<?> benchmark) throws Exception {
    String[] there =
        Arrays.stream(benchmark.getField("peer").getAnnotation(Param.class).value())
            .filter(peer -> CollectionPeer.valueOf(peer).isThere())
            .toArray(String[]::new);
    int methods =
        (int)
            Arrays.stream(benchmark.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .count();
    Options options = forAMoment().include(benchmark.getName()).param("peer", there).build();

    assertAllMeasured(new Runner(options).run(), methods * there.length);
  }

  @Test
  void everySpringCacheTakesPart() throws RunnerException {
    String[] there =
        Arrays.stream(SpringPeer.values())
            .filter(SpringPeer::isThere)
            .map(SpringPeer::name)
            .toArray(String[]::new);
    Options options = forAMoment().include(SpringHot.class.getName()).param("peer", there).build();

    assertAllMeasured(new Runner(options).run(), 2 * there.length);
  }

  private static ChainedOptionsBuilder forAMoment() {
    return new OptionsBuilder()
        .param("entries", Integer.toString(ENTRIES))
        .param("statistics", "true")
        .param("waiting", "10")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(20))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
  }

  private static void assertAllMeasured(Collection<RunResult> results, int count) {
    assertThat(results)
        .hasSize(count)
        .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
  }

  @Test
  void everyComparisonNamesABenchmark() {
    Stream.of(Comparison.all(), Comparison.ofCollections(), Comparison.ofBulkBuilds())
        .flatMap(List::stream)
        .flatMap(comparison -> Stream.of(comparison.ours(), comparison.theirs()))
        .forEach(
            measured ->
                assertThat(measured.benchmark().getMethods())
                    .filteredOn(method -> method.isAnnotationPresent(Benchmark.class))
                    .extracting(Method::getName)
                    .contains(measured.method()));
  }

  @Test
  void scoresAreKeptFromRunToRun() throws IOException {
    Path file = root.resolve("kept/scores.tsv");
    List<Comparison> bulk = Comparison.ofBulkBuilds();
    Comparison.Measured one = bulk.get(0).ours();
    Comparison.Measured other = bulk.get(1).theirs();
    new ScoreFile(file).replace(Map.of(one, List.of(new Score(1, 2), new Score(3, 4))));
    new ScoreFile(file).replace(Map.of(other, List.of(new Score(5, 0.5))));
    new ScoreFile(file).replace(Map.of(one, List.of(new Score(7, 8))));

    assertThat(new ScoreFile(file).of(bulk))
        .isEqualTo(Map.of(one, List.of(new Score(7, 8)), other, List.of(new Score(5, 0.5))));
  }

  @Test
  void theTableSaysWhoIsNotThere() {
    Comparison withRedis =
        Comparison.ofCollections().stream()
            .filter(comparison -> comparison.theirs().peer() == CollectionPeer.REDIS)
            .findFirst()
            .orElseThrow();
    Report report = new Report();
    report.peers(
        List.of(withRedis), Map.of(withRedis.ours(), List.of(new Score(2_000, 1))), ENTRIES);

    assertThat(report.toString())
        .contains("| 2,000 |", "redis-server is not installed")
        .doesNotContain("${");
  }

  /** With the servers that are installed. */
  @Test
  void cachesOnServersAreMeasured() throws IOException {
    Path page = root.resolve("servers.md");
    int exit =
        Servers.run(
            "--keys=100",
            "--entries=2000",
            "--rounds=1",
            "--millis=20",
            "--invalidations=20",
            "--output=" + page);

    assertThat(exit).isZero();
    if (RedisServer.isInstalled()) {
      assertThat(page).content().contains("Redisson's JCache", "Rockpool on Redis");
    }
    if (PostgresCluster.isInstalled()) {
      assertThat(page).content().contains("JDBC", "Rockpool on PostgreSQL");
    }
  }

  @Test
  void theCostOfWhatIsGoneIsMeasured() throws IOException {
    Path page = root.resolve("history.md");

    int exit =
        History.run("--gone=100", "--left=10", "--seconds=0", "--names=8,16", "--output=" + page);

    assertThat(exit).isZero();
    assertThat(page)
        .content()
        .contains("| rows of a table |", "| 8 names | 16 names |", "| drop each |", "| queue |");
  }

  @Test
  void freshJvmsAreMeasured() throws IOException {
    Path page = root.resolve("warmup.md");

    int exit = Warmup.run("--entries=100", "--seconds=1.5", "--rounds=1", "--output=" + page);

    assertThat(exit).isZero();
    assertThat(page).content().containsPattern("\\| `ROCKPOOL` \\| [0-9.]+ \\| [0-9.]+ \\|");
  }

  @Test
  void encryptionIsMeasured() throws Exception {
    EncryptionRatios.Cost cost = EncryptionRatios.measure(ENTRIES, EncryptionRatios.OF_JDK);

    assertThat(List.of(cost.getRatio(), cost.putRatio())).allMatch(ratio -> ratio > 0);
    assertThat(EncryptionRatios.Cost.parse(cost.line())).isEqualTo(cost);
  }

  @Test
  void heapIsMeasured() {
    long bytes = HeapGrowth.bytesTaken(ENTRIES);
    // What other benchmarks of this process left may have been collected meanwhile.
    assertThat(bytes > 0 ? bytes : HeapGrowth.bytesTaken(ENTRIES)).isPositive();
  }
}

package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Rounds;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/**
 * Suites of the core on PostgreSQL: {@link SuitesServer} provides the server in place of engines in
 * memory. Long runs have all of them.
 */
final class CoreSuitesTest {
  private static final List<String> SHORT =
      List.of(
          "io.rockpool.OnceTest",
          "io.rockpool.cache.PersistentCacheTest",
          "io.rockpool.cache.TagsTest",
          "io.rockpool.change.ChangeFeedTest",
          "io.rockpool.queue.PersistentTimerTest",
          "io.rockpool.structure.EveryStructureTest");

  private static final List<String> LONG =
      List.of(
          "io.rockpool.cache.BulkDecisionTest",
          "io.rockpool.cache.CacheConcurrencyTest",
          "io.rockpool.cache.CacheExpiryTest",
          "io.rockpool.cache.CacheSampleTest",
          "io.rockpool.cache.CacheTransactionTest",
          "io.rockpool.cache.DecisionTest",
          "io.rockpool.cache.ExpiredInTransactionTest",
          "io.rockpool.cache.JitteredExpiryTest",
          "io.rockpool.cache.LimitedIdleTest",
          "io.rockpool.cache.LoadStoringTest",
          "io.rockpool.cache.MonotonicStressTest",
          "io.rockpool.cache.RefreshRaceTest",
          "io.rockpool.cache.ReplacedAliveTest",
          "io.rockpool.cache.SharedValuesTest",
          "io.rockpool.cache.SlowEncodingTest",
          "io.rockpool.cache.UndecodableValueTest",
          "io.rockpool.cache.UnencodableValueTest",
          "io.rockpool.change.ChangeFeedModelTest",
          "io.rockpool.queue.PersistentQueueTest",
          "io.rockpool.queue.QueueCombinationTest",
          "io.rockpool.structure.IncrementTest",
          "io.rockpool.structure.PersistentCounterTest",
          "io.rockpool.structure.PersistentMapTest",
          "io.rockpool.structure.PersistentSetTest",
          "io.rockpool.structure.PersistentValueTest");

  /** What a store that several processes share refuses or cannot know, and a test of the core. */
  private static final Set<String> EXCLUDED =
      Set.of(
          // Reads its own source.
          "theProgramOfTheDocument",
          // No process knows whether another one has died.
          "leasesOfADeadProcessAreFreeAtOnceAndDeliveriesAreCounted",
          "aCrashNeitherLosesNorDoublesAFiring",
          // Names do not move on a server.
          "renamingAndDroppingEndAWait",
          "tagsFollowTheName",
          "droppingAndClosingEndTheWait",
          "aFeedFollowsARenameAndNotACopy",
          "isCopied",
          "isRenamed",
          // It takes no snapshots.
          "aSnapshotDoesNotChange",
          "showsASnapshotAndTellsListeners");

  static Stream<String> suites() {
    return Stream.concat(SHORT.stream(), Rounds.areMany() ? LONG.stream() : Stream.empty());
  }

  @ParameterizedTest
  @MethodSource("suites")
  @Timeout(1_200)
  void passesOnPostgres(String suite) {
    PostgresServer server = PostgresServer.running(); // skips the test if there can be none
    assertThat(server.port()).isPositive();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(suite))
            .filters((PostDiscoveryFilter) CoreSuitesTest::filter)
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, summary);
    assertThat(summary.getSummary().getFailures()).extracting(CoreSuitesTest::shown).isEmpty();
    assertThat(summary.getSummary().getTestsSucceededCount()).isPositive();
  }

  private static FilterResult filter(TestDescriptor test) {
    TestSource source = test.getSource().orElse(null);
    boolean isExcluded =
        source instanceof org.junit.platform.engine.support.descriptor.MethodSource method
            && EXCLUDED.contains(method.getMethodName());
    return FilterResult.includedIf(!isExcluded);
  }

  private static String shown(Failure failure) {
    return failure.getTestIdentifier().getUniqueId() + ": " + failure.getException();
  }
}

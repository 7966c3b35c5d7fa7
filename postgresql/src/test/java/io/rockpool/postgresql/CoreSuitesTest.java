package io.rockpool.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
@Needs(Tool.POSTGRESQL)
final class CoreSuitesTest {
  private static final List<String> SHORT =
      List.of(
          "io.rockpool.OnceTest",
          "io.rockpool.cache.PersistentCacheTest",
          "io.rockpool.cache.TagsTest",
          "io.rockpool.change.ChangeFeedTest",
          "io.rockpool.queue.PersistentTimerTest",
          "io.rockpool.queue.QueueBatchesTest",
          "io.rockpool.queue.QueueListenerTest",
          "io.rockpool.structure.EveryStructureTest",
          "io.rockpool.structure.PersistentScoredSetGuavaTest",
          "io.rockpool.structure.PersistentSetGuavaTest",
          "io.rockpool.structure.PersistentSortedSetTest",
          "io.rockpool.structure.RecursiveUpdateTest",
          "io.rockpool.structure.WaitingHandlesTest");

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
          "io.rockpool.change.FeedPublisherTest",
          "io.rockpool.queue.DeadLetterRetentionTest",
          "io.rockpool.queue.PersistentQueueTest",
          "io.rockpool.queue.QueueAnswersTest",
          "io.rockpool.queue.QueueCombinationTest",
          "io.rockpool.queue.QueueModelTest",
          "io.rockpool.queue.QueueMomentTest",
          "io.rockpool.queue.QueueWaitersTest",
          "io.rockpool.queue.QueueWaitingTest",
          "io.rockpool.queue.UndecodableMessagesTest",
          "io.rockpool.structure.DequeIndexTest",
          "io.rockpool.structure.DequeModelTest",
          "io.rockpool.structure.DequeSearchTest",
          "io.rockpool.structure.DequeWaitersTest",
          "io.rockpool.structure.DequeWaitingTest",
          "io.rockpool.structure.DequesWaitingTest",
          "io.rockpool.structure.EdgeContractTest",
          "io.rockpool.structure.EqualValuesTest",
          "io.rockpool.structure.IncrementTest",
          "io.rockpool.structure.MutableElementsTest",
          "io.rockpool.structure.ParallelEntriesTest",
          "io.rockpool.structure.PersistentCounterTest",
          "io.rockpool.structure.PersistentDequeGuavaTest",
          "io.rockpool.structure.PersistentDequeTest",
          "io.rockpool.structure.PersistentMapConcurrencyTest",
          "io.rockpool.structure.PersistentMapGuavaTest",
          "io.rockpool.structure.PersistentMapModelTest",
          "io.rockpool.structure.PersistentMapTest",
          "io.rockpool.structure.PersistentScoredSetTest",
          "io.rockpool.structure.PersistentSetModelTest",
          "io.rockpool.structure.PersistentSetTest",
          "io.rockpool.structure.PersistentSortedMapGuavaTest",
          "io.rockpool.structure.PersistentSortedMapModelTest",
          "io.rockpool.structure.PersistentSortedMapTest",
          "io.rockpool.structure.PersistentSortedSetGuavaTest",
          "io.rockpool.structure.PersistentSortedSetModelTest",
          "io.rockpool.structure.PersistentTableModelTest",
          "io.rockpool.structure.PersistentTableTest",
          "io.rockpool.structure.PersistentValueTest",
          "io.rockpool.structure.RankWritesTest",
          "io.rockpool.structure.ReclaimedStructuresTest",
          "io.rockpool.structure.ScoredCombinationTest",
          "io.rockpool.structure.ScoredSetExpiryTest",
          "io.rockpool.structure.ScoredSetModelTest",
          "io.rockpool.structure.ScoredSetOperationsTest",
          "io.rockpool.structure.ScoredSetRanksTest",
          "io.rockpool.structure.ScoredSetsWaitingTest",
          "io.rockpool.structure.SetOperationsTest",
          "io.rockpool.structure.TimedWritesModelTest",
          "io.rockpool.structure.UndecodableElementsTest",
          "io.rockpool.structure.UndecodableWritesTest",
          // Last: Lincheck rewrites the classes of this process.
          "io.rockpool.structure.PersistentDequeLinearizabilityTest",
          "io.rockpool.structure.PersistentMapLinearizabilityTest",
          "io.rockpool.structure.PersistentScoredSetLinearizabilityTest");

  /** The other suites of these packages, and why they do not run here. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("io.rockpool.change.ChangePageTest", "Runs the programs of a page."),
          Map.entry("io.rockpool.change.RestoredFeedTest", "Restores an embedded store."),
          Map.entry("io.rockpool.queue.CronExpressionTest", "Needs no engine."),
          Map.entry("io.rockpool.queue.PoisonMessageTest", "Opens a store in memory."),
          Map.entry("io.rockpool.queue.QueueCopyTest", "Copies files of an embedded store."),
          Map.entry("io.rockpool.queue.QueuePageTest", "Runs the programs of a page."),
          Map.entry("io.rockpool.queue.QueueScaleTest", "Its million messages take hours."),
          Map.entry("io.rockpool.structure.CopyTest", "Names are not copied on a server."),
          Map.entry("io.rockpool.structure.DequeCrashTest", "Kills an embedded store."),
          Map.entry("io.rockpool.structure.DequeRowTest", "Needs no engine."),
          Map.entry("io.rockpool.structure.KeySortTest", "Needs no engine."),
          Map.entry("io.rockpool.structure.LargeElementsTest", "Measures reads of a row."),
          Map.entry("io.rockpool.structure.RenameTest", "Names do not move on a server."),
          Map.entry("io.rockpool.structure.ScoredRowTest", "Needs no engine."),
          Map.entry("io.rockpool.structure.SmallHeapTest", "Measures the embedded engine."),
          Map.entry(
              "io.rockpool.structure.ValueReturningCallsTest",
              "Counts calls of an engine that one process has."));

  /** What a store that several processes share refuses or cannot know, and a test of the core. */
  private static final Set<String> EXCLUDED =
      Set.of(
          // Reads its own source.
          "theProgramOfTheDocument",
          // Reads a warning, and the log has errors only here.
          "onlyADroppedQueueEndsItWithAWarning",
          "startingAgainWithAnotherPayloadWarns",
          // No process knows whether another one has died.
          "leasesOfADeadProcessAreFreeAtOnceAndDeliveriesAreCounted",
          "aCrashNeitherLosesNorDoublesAFiring",
          "whatABatchHasNotAnsweredComesBackAfterReopening",
          // Names do not move on a server.
          "renamingAndDroppingEndAWait",
          "tagsFollowTheName",
          "droppingAndClosingEndTheWait",
          "aFeedFollowsARenameAndNotACopy",
          "isCopied",
          "isRenamed",
          // It takes no snapshots.
          "aSnapshotDoesNotChange",
          "aSnapshotStaysAsItWas",
          "inASnapshotIsPassedOver",
          "showsASnapshot",
          "snapshotsAnswerToo",
          "snapshotsStayAsTheyAre",
          // Another handle sweeps, too.
          "aSetIsSweptInShortSteps");

  /** Suites of collections, queues and feeds: a new one runs here, or says why not. */
  @Test
  void everySuiteIsListed() throws IOException {
    Path tests = Path.of("../core/src/test/java");
    Set<String> found = new TreeSet<>();
    for (String name : List.of("change", "queue", "structure")) {
      try (Stream<Path> files = Files.list(tests.resolve("io/rockpool").resolve(name))) {
        files
            .map(file -> tests.relativize(file).toString().replace('/', '.'))
            .filter(file -> file.endsWith("Test.java") && !file.endsWith("UnderTest.java"))
            .map(file -> file.substring(0, file.length() - ".java".length()))
            .forEach(found::add);
      }
    }
    List<String> listed = new ArrayList<>(ELSEWHERE.keySet());
    listed.addAll(SHORT);
    listed.addAll(LONG);
    assertThat(listed).doesNotHaveDuplicates().containsAll(found);
  }

  static Stream<String> suites() {
    return Stream.concat(SHORT.stream(), Rounds.areMany() ? LONG.stream() : Stream.empty());
  }

  @Slow
  @ParameterizedTest
  @MethodSource("suites")
  @Timeout(2_400)
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

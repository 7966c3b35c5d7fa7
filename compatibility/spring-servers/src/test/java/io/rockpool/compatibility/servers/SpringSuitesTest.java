package io.rockpool.compatibility.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.sample.testing.LocalServer;
import io.rockpool.sample.testing.LocalServer.Kind;
import io.rockpool.spring.SuiteStores;
import io.rockpool.testing.Rounds;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The suites of {@code rockpool-spring} on real servers: {@link SuiteStores} opens each of their
 * stores there. Long runs have all of them. A test of what a server refuses must fail with that
 * refusal, so no entry of these lists outlives its reason.
 */
final class SpringSuitesTest {
  private static final String PACKAGE = "io.rockpool.spring.";

  private static final List<String> SHORT =
      List.of(
          "CachingAnnotationsTest",
          "DroppedCacheTest",
          "ManagerClosingTest",
          "ReactiveAnnotationsTest",
          "RockpoolCacheManagerTest",
          "RockpoolCacheRetrievalTest",
          "RockpoolCacheTest",
          "VirtualThreadsTest",
          "transaction.RockpoolTransactionManagerTest");

  private static final List<String> LONG =
      List.of(
          "CacheKeyCodecTest",
          "CacheTagsTest",
          "CacheableRefresherTest",
          "ClassEvolutionTest",
          "RecursiveRetrievalTest",
          "RefreshedCacheTest",
          "TransactionAwareCacheTest",
          "WriteBehindTest",
          "boot.IdempotencyAutoConfigurationTest",
          "boot.ObservabilityTest",
          "boot.RestartedApplicationTest",
          "boot.RockpoolAutoConfigurationTest",
          "boot.RockpoolEndpointTest",
          "boot.TransactionAutoConfigurationTest",
          "boot.WriteBehindPropertiesTest",
          "http.IdempotencyFilterTest",
          "queue.RockpoolListenerTest");

  /** What is true of directories only. */
  private static final Set<String> OF_DIRECTORIES =
      Set.of(
          // A value that cannot be decoded stays for other processes, and counts again.
          "ClassEvolutionTest.aClassThatCannotBeDecodedIsAMiss",
          // Disk budgets and maximum sizes are the server's; native memory and files are not there.
          "ObservabilityTest.entriesAreCountedAndBounded",
          "ObservabilityTest.theStoreIsMeasuredOnceItIsOpen",
          "ObservabilityTest.whatGivesWayIsCounted",
          // They look into the directory, or set options of one.
          "RockpoolAutoConfigurationTest.cachesAndStoreOutliveAllOtherBeans",
          "RockpoolAutoConfigurationTest.propertiesConfigureStoreAndCaches",
          "RockpoolAutoConfigurationTest.theStoreIsThereWithoutCaching",
          "RockpoolEndpointTest.storesAndCachesAreListed",
          "RockpoolEndpointTest.whatIsToBeGivenBackIsShown");

  /** What cannot run on a server, for reasons that its own exception does not show. */
  private static final Map<Kind, Set<String>> EXCLUDED =
      Map.of(
          Kind.REDIS,
          Set.of(
              // Waits for a transaction, which is refused.
              "ManagerClosingTest.aTransactionThatAsksForACacheIsToldAndHoldsUpNoClosing",
              // Has tags, which are refused.
              "ManagerClosingTest.whatATaggedMethodLoadsWhileTheManagerClosesIsItsCallers",
              // Cannot close what it opens before its first counter is refused.
              "IdempotencyFilterTest",
              // A store on Redis has no transaction manager.
              "TransactionAutoConfigurationTest.itCanBeSwitchedOff",
              "TransactionAutoConfigurationTest.itIsThereBesideAnotherOneIfAskedFor",
              "TransactionAutoConfigurationTest.transactionalIsATransactionOfTheStore",
              // Counts and moves in transactions, on threads of its own.
              "VirtualThreadsTest"),
          Kind.POSTGRESQL,
          Set.of(
              // The first once of a store creates its name, which the snapshot of a transaction
              // that has begun before lacks: a conflict. A repetition succeeds.
              "RockpoolTransactionManagerTest.aTransactionBeginsOutsideOfAtomically"));

  /** What a server refuses: all tests of a suite, or one. */
  private static final Map<Kind, Set<String>> REFUSED =
      Map.of(
          Kind.REDIS,
          Set.of(
              "CacheTagsTest",
              "DroppedCacheTest.goesOnEmpty", // only its tags
              "IdempotencyAutoConfigurationTest.aUserHasItsOwnKeys",
              "IdempotencyAutoConfigurationTest.propertiesChooseTheRequests",
              "RockpoolCacheManagerTest.aNameThatHoldsSomethingElseIsRefused",
              "RockpoolCacheRetrievalTest.aKeyRemovedByAnotherWayWhileItIsRetrievedIsNotStored",
              "RockpoolEndpointTest.openQueuesAreListed",
              "RockpoolEndpointTest.queuesArePausedResumedRedrivenAndPurged",
              "RockpoolEndpointTest.whatIsWrittenBehindIsShown",
              "RockpoolListenerTest.aChildContextRunsItsListeners",
              "RockpoolListenerTest.aLazyApplicationHasItsListeners",
              "RockpoolListenerTest.allListenersStopAtTheSameTime",
              "RockpoolListenerTest.anErrorHandlerDecides",
              "RockpoolListenerTest.closingFinishesOrReturnsMessages",
              "RockpoolListenerTest.listenersNeedNotStart",
              "RockpoolListenerTest.methodsHandleConvertAndRetry",
              "RockpoolListenerTest.theListenersOfABeanThatIsMadeLaterStartThen",
              "RockpoolTransactionManagerTest",
              "TransactionAwareCacheTest",
              "WriteBehindPropertiesTest.aCachesOptionsReplaceTheDefaults",
              "WriteBehindPropertiesTest.aChangeThatFailsTooOftenIsADeadLetter",
              "WriteBehindPropertiesTest.whatIsPendingIsWrittenAfterTheNextStart",
              "WriteBehindTest"),
          Kind.POSTGRESQL,
          Set.of(
              "RockpoolEndpointTest.whatIsWrittenBehindIsShown",
              "TransactionAwareCacheTest.whatAMethodHasReadIsNotWritten",
              "WriteBehindPropertiesTest.aCachesOptionsReplaceTheDefaults",
              "WriteBehindPropertiesTest.aChangeThatFailsTooOftenIsADeadLetter",
              "WriteBehindPropertiesTest.whatIsPendingIsWrittenAfterTheNextStart",
              "WriteBehindTest"));

  @ParameterizedTest
  @EnumSource
  @Timeout(1_200)
  void passOnAServer(Kind kind) throws Exception {
    kind.tool().orSkip();
    Outcomes outcomes = new Outcomes();
    try (LocalServer server = LocalServer.start(kind)) {
      System.setProperty(SuiteStores.SERVER, server.uri("").toString());
      Stream<String> suites =
          Stream.concat(SHORT.stream(), Rounds.areMany() ? LONG.stream() : Stream.empty());
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(suites.map(it -> DiscoverySelectors.selectClass(PACKAGE + it)).toList())
              .filters((PostDiscoveryFilter) test -> filter(kind, test))
              .build();
      LauncherFactory.create().execute(request, outcomes);
    } finally {
      System.clearProperty(SuiteStores.SERVER);
    }
    Set<String> refused = REFUSED.get(kind);
    assertThat(outcomes.failures.stream().filter(it -> !it.isExpected(refused))).isEmpty();
    assertThat(outcomes.succeeded).hasSizeGreaterThan(40);
    assertThat(refused.stream().filter(outcomes::haveRun).filter(it -> !outcomes.haveFailed(it)))
        .as("expected to be refused")
        .isEmpty();
  }

  private static FilterResult filter(Kind kind, TestDescriptor test) {
    boolean isExcluded =
        names(test.getSource().orElse(null))
            .anyMatch(it -> OF_DIRECTORIES.contains(it) || EXCLUDED.get(kind).contains(it));
    return FilterResult.includedIf(!isExcluded);
  }

  /** The name of a test's class and that of its method. */
  private static Stream<String> names(TestSource source) {
    if (source instanceof MethodSource method) {
      String suite = method.getJavaClass().getSimpleName();
      return Stream.of(suite, suite + '.' + method.getMethodName());
    }
    return source instanceof ClassSource type
        ? Stream.of(type.getJavaClass().getSimpleName())
        : Stream.empty();
  }

  /** A failed test, in what an assertion prints. */
  private record Failure(List<String> names, String test, String trace) {
    boolean isExpected(Set<String> refused) {
      return names.stream().anyMatch(refused::contains)
          && trace.contains(UnsupportedOperationException.class.getName());
    }

    @Override
    public String toString() {
      return test + ": " + trace;
    }
  }

  /** What has become of tests. */
  private static final class Outcomes implements TestExecutionListener {
    final List<Failure> failures = new ArrayList<>();
    final Set<String> succeeded = new TreeSet<>();
    private final Set<String> run = new TreeSet<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      List<String> names = names(test.getSource().orElse(null)).toList();
      run.addAll(names);
      if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL && test.isTest()) {
        succeeded.add(test.getUniqueId());
      } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        StringWriter trace = new StringWriter();
        result.getThrowable().ifPresent(it -> it.printStackTrace(new PrintWriter(trace)));
        failures.add(new Failure(names, test.getUniqueId(), trace.toString()));
      }
    }

    boolean haveRun(String name) {
      return run.contains(name);
    }

    boolean haveFailed(String name) {
      return failures.stream().anyMatch(it -> it.names.contains(name));
    }
  }
}

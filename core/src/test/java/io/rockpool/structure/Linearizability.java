package io.rockpool.structure;

import io.rockpool.engine.Capability;
import io.rockpool.testing.FaultLog;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;

/**
 * Operations of three threads come to what some order of them would have come to. By running them
 * often: Lincheck's model checker does not see into native code, and comes to no end in a whole
 * engine in memory.
 */
final class Linearizability {
  private static final int SCENARIOS = 12;
  private static final int RUNS_OF_EACH = 150;

  private static @Nullable StoreUnderTest store;

  private Linearizability() {}

  /** The store that is used now, for the constructor of what is tested. */
  static StoreUnderTest store() {
    return Objects.requireNonNull(store);
  }

  /** Whether the store takes snapshots; a transaction shows one time, too. */
  static boolean hasSnapshots() {
    return store().engine().capabilities().contains(Capability.SNAPSHOTS);
  }

  /**
   * Compares what is made and used by Lincheck, through constructors without arguments: {@code
   * tested} on a store, empty each time, and the same operations one after the other on {@code
   * model}.
   */
  static void check(StoreUnderTest.Kind kind, Path directory, Class<?> tested, Class<?> model) {
    try (StoreUnderTest opened = new StoreUnderTest(kind, directory)) {
      store = opened;
      new StressOptions()
          .iterations(SCENARIOS)
          .invocationsPerIteration(RUNS_OF_EACH)
          .threads(3)
          .actorsPerThread(3)
          .actorsBefore(1)
          .actorsAfter(1)
          .sequentialSpecification(model)
          .minimizeFailedScenario(true)
          .check(tested);
    }
    FaultLog.write(
        FaultLog.Kind.CONCURRENCY,
        tested
                .getEnclosingClass()
                .getSimpleName()
                .replaceFirst("Persistent(.*)Linearizability.*", "$1")
            + ", "
            + kind.name().toLowerCase(Locale.ROOT)
            + ": three threads run the operations of a scenario",
        (long) SCENARIOS * RUNS_OF_EACH,
        "",
        "the answers are those of some order",
        "nothing");
  }
}

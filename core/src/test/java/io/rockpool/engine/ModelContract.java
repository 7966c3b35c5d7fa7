package io.rockpool.engine;

import io.rockpool.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Random operations on an engine and on a model of it, compared at every step. */
interface ModelContract extends EngineUnderTest {
  /** How many operations a run with one seed makes. */
  int STEPS = 2_000;

  @Test
  default void anEngineDoesWhatItsModelDoes() {
    assume(Capability.COLLECTIONS);
    Seeds.all().forEach(seed -> run(seed, Layout.ROWS, false));
  }

  @Test
  default void anEngineOfEntriesDoesWhatItsModelDoes() {
    Seeds.all().forEach(seed -> run(seed, Layout.ENTRIES, false));
  }

  @Test
  default void anEngineThatIsReopenedDoesWhatItsModelDoes() {
    Seeds.all()
        .forEach(
            seed -> {
              if (layout() == Layout.ROWS) {
                run(seed, Layout.ROWS, true);
              }
              run(seed, Layout.ENTRIES, true);
            });
  }

  private void run(long seed, Layout layout, boolean reopening) {
    ModelRun run = new ModelRun(this, layout, seed);
    for (int step = 0; step < STEPS; step++) {
      try {
        run.step();
        if (reopening && step % (STEPS / 10) == 0) {
          run.reopen();
        }
      } catch (AssertionError | RuntimeException e) {
        if (e instanceof TestAbortedException) {
          throw e;
        }
        throw new AssertionError(
            "Failed with seed "
                + seed
                + " at step "
                + step
                + "; run it alone with -Drockpool.test.seed="
                + seed
                + ".",
            e);
      }
    }
    engine().dropAll("");
  }
}

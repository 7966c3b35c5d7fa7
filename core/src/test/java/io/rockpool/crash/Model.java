package io.rockpool.crash;

import io.rockpool.Rockpool;
import io.rockpool.engine.memory.MemoryEngine;
import io.rockpool.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * What one thread's home should be like: the same steps, made in memory. The memory engine is the
 * reference that every engine is measured by, and the structures on it are measured by the JDK's
 * elsewhere; here it stands for a store that nothing ever happened to.
 */
final class Model implements AutoCloseable {
  private final long startMillis;
  private final Duration betweenRounds;
  private final boolean sweeping;
  private final FakeClock clock = new FakeClock();
  private Rockpool pool = Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open();
  private List<Stretch> made = List.of();

  /**
   * An empty one.
   *
   * @param startMillis when the first round begins
   * @param betweenRounds how much later each further one does
   * @param sweeping whether there are steps that clear and drop
   */
  Model(long startMillis, Duration betweenRounds, boolean sweeping) {
    this.startMillis = startMillis;
    this.betweenRounds = betweenRounds;
    this.sweeping = sweeping;
  }

  /** What is there at a time, after all these steps and no others. */
  SortedMap<String, Object> after(List<Stretch> steps, long millis) {
    if (!isBeginning(steps)) {
      pool.close();
      pool = Rockpool.at(o -> MemoryEngine.builder().clock(clock).build()).open();
      made = List.of();
    }
    for (int i = Math.max(0, made.size() - 1); i < steps.size(); i++) {
      make(steps.get(i), i < made.size() ? made.get(i).steps() : 0);
    }
    made = new ArrayList<>(steps);
    clock.setMillis(millis);
    return home(steps).contents();
  }

  private Home home(List<Stretch> steps) {
    return new Home(pool, steps.isEmpty() ? 0 : steps.get(0).thread());
  }

  private boolean isBeginning(List<Stretch> steps) {
    int last = made.size() - 1;
    return made.size() <= steps.size()
        && (last < 0
            || (made.subList(0, last).equals(steps.subList(0, last))
                && made.get(last).begins(steps.get(last))
                // A model does not go back to finish an earlier round.
                && (made.size() == steps.size() || made.get(last).equals(steps.get(last)))));
  }

  private void make(Stretch stretch, int from) {
    clock.setMillis(startMillis + stretch.round() * betweenRounds.toMillis());
    Steps steps = new Steps(new Home(pool, stretch.thread()), sweeping);
    for (int step = from; step < stretch.steps(); step++) {
      steps.run(Victim.stepSeed(stretch.seed(), stretch.thread(), step));
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.store.Durability;
import io.rockpool.store.VerifyOptions;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the log is forced to the disk: for each write that is to be, for many at once where many
 * wait, and by {@code flush()}. As {@code strace} sees it; and the power fails where it matters.
 */
@Slow
@Needs(Tool.STRACE)
final class ForcedWritesTest {
  private static final int CUTS = Integer.getInteger("rockpool.test.powerCuts", 4);
  private static final int THREADS = 8;
  private static final int NUMBERS = 30;

  /** As long as a good disk takes; without it some forces return before anyone else can come. */
  private static final List<String> SLOW_DISK =
      List.of("-e", "inject=fdatasync,fsync:delay_enter=1000");

  @TempDir Path parent;

  private Committer.Orders orders(Durability store, Durability handles, int threads) {
    return new Committer.Orders(parent.resolve("store"), store, handles, threads, NUMBERS);
  }

  private TracedRun run(Committer.Orders orders) throws Exception {
    return TracedRun.of(parent.resolve("calls"), SLOW_DISK, Committer.class, orders.arguments());
  }

  private List<Integer> forces(TracedRun run, Committer.Orders orders) throws IOException {
    return run
        .powerLost(orders.directory(), run.end(), null, parent.resolve("end"))
        .forces()
        .stream()
        .map(TracedCall::begun)
        .toList();
  }

  private static long between(List<Integer> places, int from, int to) {
    return places.stream().filter(place -> place > from && place < to).count();
  }

  @Test
  void oneThreadsWritesAreForcedEachBeforeItIsSaid() throws Exception {
    Committer.Orders orders = orders(Durability.SYNC, Durability.SYNC, 1);
    TracedRun run = run(orders);
    List<Integer> forces = forces(run, orders);
    int before = run.placeOf(Committer.BEGINS);
    for (int number = 0; number < orders.all(); number++) {
      int now = run.placeOf(Integer.toString(number));
      assertThat(between(forces, before, now)).as("forces for number %d", number).isPositive();
      before = now;
    }
  }

  @Test
  void manyThreadsWritesAreForcedTogetherAndAreThereWhenThePowerFails() throws Exception {
    Committer.Orders orders = orders(Durability.BUFFERED, Durability.SYNC, THREADS);
    TracedRun run = run(orders);
    int first = run.placeOf(Committer.BEGINS);
    int written = run.placeOf(Committer.WRITTEN);
    assertThat(between(forces(run, orders), first, written))
        .isBetween((long) NUMBERS, orders.all() / 2L);
    Random random = new Random();
    for (int cut = 0; cut < CUTS; cut++) {
      int place = cut == 0 ? written : first + random.nextInt(written - first);
      assertThat(left(run, orders, place, random.nextBoolean() ? null : random))
          .as("power lost at %d of %d", place, run.end())
          .containsAll(numbersSaidBefore(run, place));
    }
    assertThat(numbersSaidBefore(run, written)).hasSize(orders.all());
  }

  private static Set<Integer> numbersSaidBefore(TracedRun run, int place) {
    return run.linesBefore(place).stream()
        .filter(line -> line.matches("\\d+"))
        .map(Integer::valueOf)
        .collect(Collectors.toSet());
  }

  @Test
  void whatIsFlushedIsThereWhenThePowerFails() throws Exception {
    Committer.Orders orders = orders(Durability.BUFFERED, Durability.BUFFERED, 2);
    TracedRun run = run(orders);
    // Opening forces the log once more, with what was written by then.
    assertThat(left(run, orders, run.placeOf(Committer.WRITTEN), null))
        .hasSizeLessThan(orders.all());
    assertThat(left(run, orders, run.placeOf(Committer.FLUSHED), null)).hasSize(orders.all());
  }

  /** The numbers that are left where the power fails. */
  private Set<Integer> left(
      TracedRun run, Committer.Orders orders, int place, @Nullable Random random)
      throws IOException {
    Path lost = parent.resolve("lost-at-" + place);
    run.powerLost(orders.directory(), place, random, lost);
    try (Rockpool pool = Rockpool.open(lost)) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).isZero();
      Set<Integer> left =
          IntStream.range(0, orders.all())
              .filter(number -> Committer.hasWritten(pool, number))
              .boxed()
              .collect(Collectors.toSet());
      assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).isClean()).isTrue();
      return left;
    }
  }
}

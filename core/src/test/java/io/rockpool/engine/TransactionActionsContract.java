package io.rockpool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done after a transaction over several rows. */
interface TransactionActionsContract extends EngineUnderTest {
  @Test
  default void outsideATransactionActionsRunAtOnce() {
    List<String> done = new ArrayList<>();
    engine().afterCommit(() -> done.add("commit"));
    engine().afterTransaction(() -> done.add("always"));
    assertThat(done).containsExactly("commit", "always");
    assertThatThrownBy(
            () ->
                engine()
                    .afterCommit(
                        () -> {
                          throw new IllegalArgumentException("no");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> engine().afterCommit(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> engine().afterTransaction(null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  default void actionsRunOnceItHasCommitted() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    List<String> done = new ArrayList<>();
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger ends = new AtomicInteger();
    atomically(
        () -> {
          runs.incrementAndGet();
          engine().afterCommit(() -> done.add("first sees " + get(space, ROW, "a")));
          engine()
              .afterCommit(
                  () -> {
                    throw new IllegalArgumentException("This is logged by a test.");
                  });
          atomically(() -> engine().afterCommit(() -> done.add("second")));
          change(space, "other", row -> engine().afterCommit(() -> done.add("third")));
          engine()
              .afterTransaction(
                  () -> {
                    ends.incrementAndGet();
                    assertThat(done).isEmpty();
                  });
          put(space, ROW, "a", "1");
          assertThat(done).isEmpty();
        });
    assertThat(done).containsExactly("first sees 1", "second", "third");
    assertThat(ends).hasValue(runs.get());
  }

  @Test
  default void anActionMayUseTheEngine() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    atomically(
        () ->
            engine()
                .afterCommit(
                    () -> {
                      assertThat(engine().inTransaction()).isFalse();
                      atomically(() -> put(space, ROW, "a", "1"));
                      space.clear();
                      put(space, ROW, "b", "2");
                    }));
    assertThat(scanAll(space)).containsExactly("row/b=2");
  }

  @Test
  default void withoutACommitOnlyTheOthersRun() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    List<String> done = new ArrayList<>();
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                atomically(
                    () -> {
                      runs.incrementAndGet();
                      engine().afterCommit(() -> done.add("never"));
                      engine().afterTransaction(() -> done.add("always " + get(space, ROW, "a")));
                      put(space, ROW, "a", "1");
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(done).hasSize(runs.get()).containsOnly("always null");
  }

  @Test
  default void aPartThatThrewHasNoActionsForACommit() {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    List<String> done = new ArrayList<>();
    atomically(
        () -> {
          engine().afterCommit(() -> done.add("before"));
          assertThatThrownBy(
                  () ->
                      atomically(
                          () -> {
                            engine().afterCommit(() -> done.add("never"));
                            throw new IllegalArgumentException("no");
                          }))
              .isInstanceOf(IllegalArgumentException.class);
          engine().afterCommit(() -> done.add("after"));
        });
    assertThat(done).containsExactly("before", "after");
  }
}

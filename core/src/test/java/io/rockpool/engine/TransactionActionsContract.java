package io.rockpool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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

  @Test
  default void messagesAreToldUnderTheirLockBeforeTheActions() throws Exception {
    CommitLock lock = new CommitLock(engine(), "test");
    List<String> done = new ArrayList<>();
    engine().tellAfterCommit(() -> done.add("at once"), lock);
    assertThat(done).containsExactly("at once");
    assertThatThrownBy(() -> engine().tellAfterCommit(null, lock))
        .isInstanceOf(NullPointerException.class);
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    done.clear();
    atomically(
        () -> {
          engine().afterCommit(() -> done.add("action " + lock.isLocked()));
          engine().tellAfterCommit(() -> done.add("message " + lock.isLocked()), lock);
          engine().tellAfterCommit(() -> done.add("next " + lock.isLocked()), null);
          engine().tellAfterCommit(() -> done.add("last " + lock.isLocked()), lock);
          assertThatThrownBy(
                  () ->
                      atomically(
                          () -> {
                            engine().tellAfterCommit(() -> done.add("never"), lock);
                            throw new IllegalArgumentException("no");
                          }))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(lock.isLocked()).isFalse();
        });
    assertThat(done).containsExactly("message true", "next true", "last true", "action false");
    assertThatThrownBy(
            () ->
                atomically(
                    () -> {
                      engine().tellAfterCommit(() -> done.add("never"), lock);
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(done).hasSize(4);
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  default void aTransactionWaitsForTheLockOfAMessageWithNoRowHeld() throws Exception {
    assume(Capability.MULTI_ROW_TRANSACTIONS);
    Space space = rows();
    CommitLock first = new CommitLock(engine(), "test");
    CommitLock second = new CommitLock(engine(), "test");
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(1);
    List<String> done = new ArrayList<>();
    AtomicInteger runs = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              second.lock();
              try {
                locked.countDown();
                ran.await();
                put(space, ROW, "a", "writer"); // waits for the row if the transaction still has it
                done.add("writer");
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              } finally {
                second.unlock();
              }
            });
    writer.start();
    locked.await();
    atomically(
        () -> {
          runs.incrementAndGet();
          String there = get(space, ROW, "a");
          put(space, ROW, "a", "transaction");
          engine().tellAfterCommit(() -> done.add("transaction after " + there), second);
          engine().tellAfterCommit(() -> done.add("again"), first);
          engine().afterTransaction(ran::countDown);
        });
    writer.join();
    assertThat(runs.get()).isGreaterThan(1);
    assertThat(done).containsExactly("writer", "transaction after writer", "again");
    assertThat(get(space, ROW, "a")).isEqualTo("transaction");
    assertThat(first.isLocked() || second.isLocked()).isFalse();
  }
}

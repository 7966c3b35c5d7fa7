package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may be inside, and when. */
@Timeout(20)
final class CloseGuardTest {
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final CloseGuard guard = new CloseGuard("It is closed.");
  private final AtomicBoolean ran = new AtomicBoolean();

  @Test
  void runsAloneWhileOthersWait() throws Exception {
    CompletableFuture<Boolean> entered = new CompletableFuture<>();
    Thread comer =
        new Thread(
            () -> {
              guard.enter();
              entered.complete(ran.get());
              guard.leave();
            });
    boolean alone =
        guard.runAlone(
            () -> {
              comer.start();
              while (comer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
              assertThat(entered).isNotDone();
              ran.set(true);
            },
            LIMIT_NANOS);
    assertThat(alone).isTrue();
    assertThat(entered.get(10, TimeUnit.SECONDS)).as("entered after it ran").isTrue();
    comer.join();
  }

  @Test
  void doesNotRunWhereSomeoneStaysInside() {
    guard.enter();
    assertThat(guard.runAlone(() -> ran.set(true), LIMIT_NANOS)).isFalse();
    guard.enter(); // whoever is inside may enter once more
    guard.leave();
    guard.leave();
    assertThat(ran).isFalse();
    assertThat(guard.runAlone(() -> ran.set(true), LIMIT_NANOS)).isTrue();
    assertThat(ran).isTrue();
  }

  @Test
  void idleThreadsAreNotInTheWay() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Boolean> sawItRun = new CompletableFuture<>();
    Thread idle =
        new Thread(
            () -> {
              guard.enter();
              boolean isMet = guard.idle(ends::get, Long.MAX_VALUE);
              sawItRun.complete(isMet && ran.get());
              guard.leave();
            });
    idle.start();
    while (idle.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    guard.enter();
    assertThat(guard.runAlone(() -> ran.set(true), LIMIT_NANOS)).as("beside a busy one").isFalse();
    guard.leave();
    boolean alone =
        guard.runAlone(
            () -> {
              ends.set(true);
              for (int i = 0; i < 20; i++) { // does not go on yet
                LockSupport.parkNanos(LIMIT_NANOS / 10);
                assertThat(sawItRun).isNotDone();
              }
              ran.set(true);
            },
            LIMIT_NANOS);
    assertThat(alone).isTrue();
    assertThat(sawItRun.get(10, TimeUnit.SECONDS)).isTrue();
    idle.join();
  }

  @Test
  void anIdleThreadGoesOnAtItsLimitAtAnInterruptAndAtTheEnd() throws Exception {
    guard.enter();
    assertThat(guard.idle(() -> false, LIMIT_NANOS)).isFalse();
    Thread.currentThread().interrupt();
    assertThat(guard.idle(() -> false, Long.MAX_VALUE)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    Thread closer = new Thread(guard::close);
    closer.start();
    assertThat(guard.idle(() -> false, Long.MAX_VALUE)).isFalse();
    assertThat(guard.isClosed()).isTrue();
    closer.join(50);
    assertThat(closer.isAlive()).as("waits for idle ones too").isTrue();
    guard.leave();
    closer.join();
  }

  @Test
  void isOpenAfterWhatRanAloneHasFailed() {
    IllegalArgumentException failure = new IllegalArgumentException();
    assertThatThrownBy(
            () ->
                guard.runAlone(
                    () -> {
                      throw failure;
                    },
                    LIMIT_NANOS))
        .isSameAs(failure);
    guard.enter();
    guard.leave();
  }

  @Test
  void runsNothingOnceItIsClosed() {
    guard.close();
    assertThat(guard.runAlone(() -> ran.set(true), LIMIT_NANOS)).isFalse();
    assertThat(ran).isFalse();
    assertThat(guard.tryEnter()).isFalse();
    assertThatThrownBy(guard::enter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("It is closed.");
  }
}

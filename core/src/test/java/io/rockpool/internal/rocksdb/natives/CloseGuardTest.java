package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

package io.rockpool.internal.rocksdb.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SyncRoundsTest {
  private final List<String> done = new ArrayList<>();

  private SyncRounds rounds(Duration syncPeriod) {
    return new SyncRounds(
        syncPeriod, () -> done.add("before"), () -> done.add("sync"), () -> done.add("after"));
  }

  @Test
  void doesAllOnceAShortSyncPeriod() {
    SyncRounds rounds = rounds(Duration.ofMillis(500));
    assertThat(rounds.period()).isEqualTo(Duration.ofMillis(500));
    rounds.next();
    rounds.next();
    assertThat(done).containsExactly("before", "sync", "after", "before", "sync", "after");
  }

  @Test
  void looksTwiceASecondWithinALongOne() {
    SyncRounds rounds = rounds(Duration.ofMillis(1_200));
    assertThat(rounds.period()).isEqualTo(Duration.ofMillis(400));
    for (int round = 0; round < 3; round++) {
      assertThat(done).doesNotContain("sync");
      rounds.next();
    }
    assertThat(done)
        .containsExactly("before", "after", "before", "after", "before", "sync", "after");
    assertThat(rounds(Duration.ofDays(1)).period()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void looksWhereForcingFailsAndForcesWhereLookingFails() {
    IllegalArgumentException failure = new IllegalArgumentException();
    SyncRounds failing =
        new SyncRounds(
            Duration.ofMillis(20),
            () -> done.add("before"),
            () -> {
              throw failure;
            },
            () -> done.add("after"));
    assertThatThrownBy(failing::next).isSameAs(failure);
    assertThat(done).containsExactly("before", "after");

    done.clear();
    SyncRounds blind =
        new SyncRounds(
            Duration.ofMillis(20),
            () -> done.add("before"),
            () -> done.add("sync"),
            () -> {
              throw failure;
            });
    assertThatThrownBy(blind::next).isSameAs(failure);
    assertThat(done).containsExactly("before", "sync");
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.encryption.TestKeys;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Child;
import io.rockpool.testing.FaultLog;
import io.rockpool.testing.Rounds;
import io.rockpool.testing.Slow;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rotation of keys in a process that is killed at random. */
@Slow
@Timeout(600)
final class RotationCrashTest {
  private static final int ROUNDS = Rounds.of(3, 60);
  private static final long MOST_MILLIS = 400;

  @TempDir Path store;

  @Test
  void aKilledRotationGoesOn() throws Exception {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      try (Child victim = Child.start(RotationVictim.class, Killing.QUIET, store)) {
        assertThat(victim.readLine()).isEqualTo("open");
        assertThat(victim.readLine()).isEqualTo("rotating");
        Thread.sleep(random.nextLong(MOST_MILLIS));
        victim.kill();
      }
    }
    try (Rockpool pool = Rockpool.at(store).encryption(TestKeys.all()).open()) {
      check(pool);
      while (pool.state().keyRotation().pendingNames() > 0) {
        assertThat(pool.state().upkeep().failing()).isEmpty();
        Thread.sleep(5);
      }
      check(pool);
    }
    try (Rockpool pool = Rockpool.at(store).encryption(TestKeys.all()).open()) {
      check(pool);
      assertThat(pool.state().keyRotation().pendingNames()).isZero();
    }
    FaultLog.write(
        FaultLog.Kind.KILL,
        "A process that rotates encryption keys is killed",
        ROUNDS,
        "",
        FaultLog.number(RotationVictim.ELEMENTS) + " encrypted elements; the rotation ends",
        "nothing");
  }

  private static void check(Rockpool pool) {
    PersistentMap<Integer, String> map = pool.map("map", Integer.class, String.class);
    assertThat(map).hasSize(RotationVictim.ELEMENTS);
    map.forEach((key, value) -> assertThat(value).isEqualTo("value " + key));
    assertThat(pool.verify().isClean()).isTrue();
  }
}

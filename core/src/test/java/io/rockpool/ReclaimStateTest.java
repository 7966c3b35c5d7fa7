package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.store.ReclaimState;
import io.rockpool.store.Reclaimed;
import io.rockpool.testing.ToReclaim;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store says what it has still to give back, to the millisecond, and what it gave back. */
@Timeout(60)
final class ReclaimStateTest {
  @TempDir Path directory;

  @Test
  void whatIsToBeGivenBackIsToldUntilItIs() {
    try (ToReclaim store = new ToReclaim(directory)) {
      Rockpool pool = store.pool();
      ReclaimState before = pool.state().reclaim();
      assertThat(before.pendingClears()).isEqualTo(ToReclaim.CLEARS);
      assertThat(before.heldClears()).isEqualTo(1);
      assertThat(before.pendingBytes())
          .isBetween(2L * ToReclaim.MAP_BYTES, 3L * ToReclaim.MAP_BYTES);
      assertThat(before.overdueMillis()).isEqualTo(ToReclaim.OVERDUE.toMillis());
      assertThat(before.total()).isEqualTo(Reclaimed.NOTHING);

      store.clock().advanceMillis(1);
      assertThat(pool.state().reclaim().overdueMillis())
          .isEqualTo(ToReclaim.OVERDUE.toMillis() + 1);

      pool.reclaim();
      ReclaimState held = pool.state().reclaim();
      assertThat(held.pendingClears()).isEqualTo(held.heldClears()).isPositive();
      assertThat(held.overdueMillis()).isZero();

      store.release();
      pool.reclaim();
      ReclaimState after = pool.state().reclaim();
      assertThat(after).isEqualTo(new ReclaimState(0, 0, 0, 0, after.total()));
      assertThat(after.total().clears()).isEqualTo(ToReclaim.CLEARS);
      assertThat(after.total().clearedBytes())
          .isBetween(before.pendingBytes(), 3L * ToReclaim.MAP_BYTES);
      assertThat(after.total().expiredRecords()).isEqualTo(ToReclaim.EXPIRED);
    }
  }
}

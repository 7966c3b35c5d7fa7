package io.rockpool.change;

import io.rockpool.postgresql.TestStores;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.Slow;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;

/** Names with feeds of changes on PostgreSQL with two handles. */
@Slow
@Needs(Tool.POSTGRESQL)
final class PostgresFeedModelTest {
  private static final int STEPS = 20;

  @Test
  void theReplayIsWhatTheNameHolds() {
    try (TestStores stores = new TestStores()) {
      ModelCheck.run(
          () -> {
            stores.clear();
            return new FeedWorld(new StoreUnderTest(stores::open));
          },
          STEPS);
    }
  }
}

package io.rockpool.queue;

import io.rockpool.postgresql.TestStores;
import io.rockpool.structure.StoreUnderTest;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import org.junit.jupiter.api.Test;

/** A queue on PostgreSQL with two handles, and its model. */
@Needs(Tool.POSTGRESQL)
final class PostgresQueueModelTest {
  private static final int STEPS = 150;

  @Test
  void aQueueDoesWhatItsModelDoes() {
    try (TestStores stores = new TestStores()) {
      ModelCheck.run(
          () -> {
            stores.clear();
            return new QueueWorld(
                new StoreUnderTest(stores::open), StoreUnderTest.Kind.ADVERSARIAL);
          },
          STEPS);
    }
  }
}

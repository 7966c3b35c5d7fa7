package io.rockpool.structure;

import io.rockpool.codec.TypeRef;
import io.rockpool.postgresql.TestStores;
import io.rockpool.testing.ModelCheck;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The models of the core's collections, on PostgreSQL with two handles. Among the operations are
 * transactions over several rows, expiry, reopening, and a change of the handle.
 */
@Needs(Tool.POSTGRESQL)
final class PostgresStructuresTest {
  private static final int STEPS = 60;

  private static TestStores stores;

  @BeforeAll
  static void openStores() {
    stores = new TestStores();
  }

  @AfterAll
  static void closeStores() {
    stores.close();
  }

  private static void run(Function<StoreUnderTest, ModelCheck.World> world) {
    ModelCheck.run(
        () -> {
          stores.clear();
          return world.apply(new StoreUnderTest(stores::open));
        },
        STEPS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void aDequeDoesWhatAListDoes(int capacity) {
    run(store -> new DequeWorld(store, capacity));
  }

  @Test
  void aMapDoesWhatAConcurrentHashMapDoes() {
    run(PersistentMapModelTest::world);
  }

  @Test
  void aSortedMapDoesWhatASkipListMapDoes() {
    run(
        store ->
            new SortedMapWorld<>(store, TypeRef.of(String.class), List.of("a", "b", "ba", "c")));
  }

  @Test
  void aSortedSetDoesWhatASkipListSetDoes() {
    run(SortedSetWorld::new);
  }

  @Test
  void setsDoWhatTheirModelsDo() {
    run(PersistentSetModelTest::world);
  }

  @ParameterizedTest
  @EnumSource
  void conditionalWritesDoWhatOneValueAndOneExpiryDo(TimedWritesModelTest.Type type) {
    run(type::world);
  }

  @Test
  void aTableDoesWhatMapsOfMapsDo() {
    run(TableWorld::new);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aScoredSetDoesWhatRedisDoes(boolean ranked) {
    run(store -> new ScoredSetWorld(store, ranked));
  }
}

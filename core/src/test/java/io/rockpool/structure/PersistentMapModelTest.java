package io.rockpool.structure;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("encrypted")
class PersistentMapModelTest {
  /** Fewer where a step may open a store on disk. */
  private static final int STEPS_ON_DISK = 400;

  private static final int STEPS_IN_MEMORY = 1_500;

  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @EnumSource
  void doesWhatAConcurrentHashMapDoes(Kind kind) {
    int steps = kind == Kind.ROCKSDB ? STEPS_ON_DISK : STEPS_IN_MEMORY;
    ModelCheck.run(() -> world(kind), steps);
  }

  private ModelCheck.World world(Kind kind) {
    return world(new StoreUnderTest(kind, directory.resolve("world-" + worlds++)));
  }

  /** The model of a map on a store. */
  static ModelCheck.World world(StoreUnderTest store) {
    return new MapWorld<>(
        store, pool -> pool.map("model", String.class, Long.class), new PersistentMapExtras());
  }

  private static final class PersistentMapExtras
      implements MapWorld.Extras<PersistentMap<String, Long>> {
    @Override
    public void put(PersistentMap<String, Long> map, String key, Long value, Duration ttl) {
      map.put(key, value, ttl);
    }

    @Override
    public boolean expireAfter(PersistentMap<String, Long> map, String key, Duration ttl) {
      return map.expireAfter(key, ttl);
    }

    @Override
    public boolean persist(PersistentMap<String, Long> map, String key) {
      return map.persist(key);
    }

    @Override
    public long increment(PersistentMap<String, Long> map, String key, long by) {
      return map.increment(key, by);
    }

    @Override
    public long removeAll(PersistentMap<String, Long> map, List<String> keys) {
      return map.removeAll(keys);
    }

    @Override
    public Map<String, Long> getAll(PersistentMap<String, Long> map, List<String> keys) {
      return map.getAll(keys);
    }
  }
}

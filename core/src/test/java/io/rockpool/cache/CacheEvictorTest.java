package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.engine.Space;
import io.rockpool.engine.memory.MemoryEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheEvictorTest {
  private final MemoryEngine memory = MemoryEngine.open();
  private final HookedEngine engine = new HookedEngine(memory);

  @Test
  void evictsNothingFromANewCacheOfTheSameName() {
    try (Rockpool pool = Rockpool.at(o -> engine.hooked()).open()) {
      PersistentCache<String, String> dropped = pool.cache("c", String.class, String.class);
      dropped.put("a", "old");
      Space chosen = memory.openForUpkeep("c");
      pool.names().drop("c");
      PersistentCache<String, String> created = pool.cache("c", String.class, String.class);
      created.put("a", "new");
      List<byte[]> keys = List.of(created.entries.format.key("a").bytes());
      assertThatThrownBy(() -> engine.evictor().evict(chosen, keys, true))
          .isInstanceOf(IllegalStateException.class);
      assertThat(created).hasSize(1);
      assertThat(created.get("a")).isEqualTo("new");
      assertThat(created.statistics().evictions()).isZero();
      assertThat(engine.evictor().evict(memory.openForUpkeep("c"), keys, true)).isEqualTo(1);
      assertThat(created).isEmpty();
      assertThat(created.get("a")).isNull();
    }
  }
}

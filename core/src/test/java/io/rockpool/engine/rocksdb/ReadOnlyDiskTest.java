package io.rockpool.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.error.StoreIoException;
import io.rockpool.store.Durability;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.tools.Needs;
import io.rockpool.testing.tools.Tool;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file system under an open store turns read-only, as it does when its disk fails. */
@Timeout(60)
@Needs({Tool.MOUNTS, Tool.LOOP_DISKS})
final class ReadOnlyDiskTest {
  private static final int ELEMENTS = 500;

  @TempDir Path parent;

  private static PersistentMap<Integer, String> map(Rockpool pool) {
    return pool.map("map", Integer.class, String.class);
  }

  private static Rockpool open(Path store) {
    return Rockpool.at(store).durability(Durability.SYNC).open();
  }

  @Test
  void refusesWritesAndLosesNothing() throws Exception {
    try (LoopDisk disk = LoopDisk.mount(parent)) {
      Path store = disk.directory().resolve("store");
      Rockpool pool = open(store);
      PersistentMap<Integer, String> map = map(pool);
      for (int i = 0; i < ELEMENTS; i++) {
        map.put(i, "value " + i);
      }
      disk.fail();
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> map.put(ELEMENTS, "refused"))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("Read-only file system")
            .hasMessageContaining(store.toString());
        assertThere(map);
      }
      assertThatThrownBy(pool::close).isInstanceOf(StoreIoException.class);
      disk.repair();
      try (Rockpool again = open(store)) {
        assertThere(map(again));
        map(again).put(ELEMENTS, "accepted");
        assertThat(again.verify().isClean()).isTrue();
      }
    }
  }

  private static void assertThere(PersistentMap<Integer, String> map) {
    assertThat(map).hasSize(ELEMENTS).doesNotContainKey(ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
      assertThat(map.get(i)).isEqualTo("value " + i);
    }
  }
}

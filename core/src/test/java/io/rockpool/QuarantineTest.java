package io.rockpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.error.CorruptStoreException;
import io.rockpool.error.ForeignDirectoryException;
import io.rockpool.error.FormatVersionException;
import io.rockpool.store.OnCorruption;
import io.rockpool.testing.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A damaged store of caches makes way for an empty one; any other stays as it is. */
@Timeout(60)
final class QuarantineTest {
  @TempDir Path parent;
  private final FakeClock clock = new FakeClock();

  private Path directory() {
    return parent.resolve("store");
  }

  private Rockpool open(OnCorruption action) {
    return Rockpool.at(directory()).clock(clock).onCorruption(action).open();
  }

  private Rockpool quarantining() {
    return open(OnCorruption.QUARANTINE);
  }

  private static void put(Rockpool pool, String key) {
    pool.cache("cache", String.class, String.class).put(key, "value");
  }

  private static boolean has(Rockpool pool, String key) {
    return pool.cache("cache", String.class, String.class).containsKey(key);
  }

  /** Damages the store; returns the file. */
  private Path damage() throws IOException {
    Path current = directory().resolve("db/CURRENT");
    Files.writeString(current, "MANIFEST-999999\n");
    return current;
  }

  private List<Path> beside() throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.sorted().toList();
    }
  }

  private void assertRefused(OnCorruption action, String saying) throws IOException {
    Path damaged = damage();
    assertThatThrownBy(() -> open(action))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining(saying);
    assertThat(damaged).exists();
    assertThat(beside()).containsExactly(directory());
  }

  @Test
  void aDamagedStoreOfCachesIsSetAsideAndAnotherBegins() throws IOException {
    try (Rockpool pool = quarantining()) {
      put(pool, "before");
      assertThat(pool.state().quarantined()).isEmpty();
    }
    damage();
    Path aside = parent.resolve("store.damaged-20300101T000000Z");
    try (Rockpool pool = quarantining();
        Rockpool other = Rockpool.open(directory())) {
      assertThat(pool.state().quarantined()).contains(aside);
      assertThat(pool.state().recovery().orElseThrow().message()).contains("new");
      assertThat(other.state().quarantined()).contains(aside);
      assertThat(has(pool, "before")).isFalse();
      put(pool, "after");
    }
    assertThat(beside()).containsExactly(directory(), aside);
    assertThat(aside.resolve("db/CURRENT")).hasContent("MANIFEST-999999\n");
    try (Rockpool pool = quarantining()) {
      assertThat(pool.state().quarantined()).isEmpty();
      assertThat(pool.state().recovery().orElseThrow().clean()).isTrue();
      assertThat(has(pool, "after")).isTrue();
    }
    clock.advanceMillis(1_000);
    for (int i = 0; i < 3; i++) {
      damage();
      quarantining().close();
    }
    Path next = parent.resolve("store.damaged-20300101T000001Z");
    assertThat(beside())
        .containsExactly(
            directory(),
            aside,
            next,
            next.resolveSibling(next.getFileName() + "-2"),
            next.resolveSibling(next.getFileName() + "-3"));
  }

  @Test
  void failingIsTheDefaultAndLeavesAllAsItIs() throws IOException {
    try (Rockpool pool = Rockpool.open(directory())) {
      put(pool, "before");
    }
    assertRefused(OnCorruption.FAIL, "restore the directory from a copy");
    quarantining().close();
    assertThat(beside()).hasSize(2);
  }

  @Test
  void theHotKeysOfACacheAreNoCollection() throws IOException {
    try (Rockpool pool = Rockpool.open(directory())) {
      put(pool, "before");
      for (int i = 0; i < 10_000; i++) {
        assertThat(pool.cache("cache", String.class, String.class).get("before")).isNotNull();
      }
    }
    assertThat(directory().resolve("caches-only")).exists();
    try (Rockpool pool = quarantining()) {
      assertThat(has(pool, "before")).isTrue();
    }
    damage();
    quarantining().close();
    assertThat(beside()).hasSize(2);
  }

  @Test
  void aStoreThatEverHeldCollectionsIsNeverSetAside() throws IOException {
    try (Rockpool pool = Rockpool.open(directory())) {
      pool.map("orders", String.class, String.class).put("a", "b");
    }
    assertThatThrownBy(this::quarantining)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"orders\"")
        .hasMessageContaining("OnCorruption.FAIL");
    assertRefused(OnCorruption.QUARANTINE, "may hold collections");
  }

  @Test
  void aStoreThatIsSetAsideHoldsNoCollections() throws IOException {
    try (Rockpool pool = quarantining()) {
      put(pool, "a");
      assertThatThrownBy(() -> pool.map("orders", String.class, String.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("caches alone");
      assertThatThrownBy(() -> pool.deque("todo", String.class))
          .isInstanceOf(IllegalStateException.class);
      assertThat(pool.names().list("")).hasSize(1);
    }
    damage();
    quarantining().close();
    assertThat(beside()).hasSize(2);
  }

  @Test
  void whatIsNoDamagedStoreIsNotTouched() throws IOException {
    quarantining().close();
    Path marker = directory().resolve("ROCKPOOL");
    Files.writeString(marker, "Rockpool store\nformat 9\n");
    assertThatThrownBy(this::quarantining).isInstanceOf(FormatVersionException.class);
    Files.writeString(marker, "something else");
    assertThatThrownBy(this::quarantining).isInstanceOf(CorruptStoreException.class);
    Files.delete(marker);
    assertThatThrownBy(this::quarantining).isInstanceOf(ForeignDirectoryException.class);
    assertThat(beside()).containsExactly(directory());
  }
}

package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another name for a cache that has more than entries. */
class RenamedCacheTest {
  private final Rockpool pool = Rockpool.inMemory();

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void aCacheIsRenamed() {
    pool.cache("old", String.class, String.class).put("k", "v");
    assertThat(pool.names().rename("old", "new")).isTrue();
    assertThat(pool.cache("new", String.class, String.class).get("k")).isEqualTo("v");
    assertThat(pool.names().find("old").isPresent()).isFalse();
  }

  @Test
  void aCacheWithForeignKeysStaysWhereItIs() {
    PersistentCache<URI, String> cache = pool.cache("old", URI.class, String.class);
    cache.put(URI.create("a:%c3%a4"), "v");
    assertThatThrownBy(() -> pool.names().rename("old", "new"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("copy its entries");
    assertThat(cache.get(URI.create("a:%C3%A4"))).isEqualTo("v");
    assertThat(pool.names().find("new").isPresent()).isFalse();
  }

  @Test
  void aCacheWithPendingChangesStaysWhereItIs() {
    PersistentCache<String, String> cache =
        pool.cache(
            "old",
            String.class,
            String.class,
            o ->
                o.writeBehind(
                    new RecordingWriter(),
                    WriteBehindOptions.defaults().delay(Duration.ofDays(1)).withoutThread()));
    cache.put("k", "v");
    assertThatThrownBy(() -> pool.names().rename("old", "new"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("flush it first");
    assertThatThrownBy(() -> pool.names().renameReplacing("old", "new"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cache.writeBehind().pending()).isEqualTo(1);
    assertThat(cache.get("k")).isEqualTo("v");
  }
}

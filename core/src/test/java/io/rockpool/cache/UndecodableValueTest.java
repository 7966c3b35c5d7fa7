package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.testing.FakeClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value whose codec refuses it, as after a deploy that changed its class too far. */
class UndecodableValueTest {
  @TempDir Path directory;

  private final AtomicBoolean broken = new AtomicBoolean();

  private final Codec<String> codec =
      new Codec<>() {
        @Override
        public String id() {
          return "fragile";
        }

        @Override
        public byte[] encode(String value) {
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes, int offset, int length) {
          if (broken.get() && bytes[offset] == '!') {
            throw new UndecodableValueException("The class of the value has changed.", null);
          }
          return new String(bytes, offset, length, StandardCharsets.UTF_8);
        }

        @Override
        public boolean immutable() {
          return true;
        }
      };

  private CacheOptions<String, String> options() {
    return CacheOptions.<String, String>defaults().hotEntries(0).valueCodec(codec);
  }

  @Test
  void isAMissCountedAndRemoved() {
    try (Rockpool pool = CacheSetup.ROCKSDB_COLD.open(directory, new FakeClock())) {
      PersistentCache<String, String> cache =
          pool.cache("c", String.class, String.class, o -> options());
      for (String key : List.of("a", "b", "c", "d")) {
        cache.put(key, "!old");
      }
      cache.put("e", "fine");
      broken.set(true);
      assertThat(cache.get("a")).isNull();
      assertThat(cache.containsKey("a")).isFalse();
      assertThat(cache.statistics().undecodable()).isEqualTo(1);
      assertThat(cache.compute("b", (k, v) -> v == null ? "new" : v)).isEqualTo("new");
      assertThat(cache.get("c", key -> "loaded")).isEqualTo("loaded");
      assertThat(cache.getAll(List.of("d", "e"))).containsOnlyKeys("e");
      assertThat(cache).hasSize(3);
      assertThat(cache.statistics().undecodable()).isEqualTo(4);
      broken.set(false);
      assertThat(cache.get("a")).isNull();
    }
  }

  @Test
  void isAnErrorThatLeavesTheEntryWhereThatIsAskedFor() {
    try (Rockpool pool = CacheSetup.ROCKSDB_COLD.open(directory, new FakeClock())) {
      PersistentCache<String, String> cache =
          pool.cache(
              "c",
              String.class,
              String.class,
              o -> options().onUndecodable(CacheOptions.OnUndecodable.FAIL));
      cache.put("a", "!old");
      broken.set(true);
      assertThatThrownBy(() -> cache.get("a"))
          .isInstanceOfSatisfying(
              UndecodableValueException.class,
              e -> {
                assertThat(e.name()).contains("c");
                assertThat(e.key()).contains("a");
              });
      assertThatThrownBy(() -> cache.compute("a", (k, v) -> "new"))
          .isInstanceOf(UndecodableValueException.class);
      broken.set(false);
      assertThat(cache.get("a")).isEqualTo("!old");
    }
  }
}

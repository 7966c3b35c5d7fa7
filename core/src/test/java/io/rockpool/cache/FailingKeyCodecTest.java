package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.engine.memory.MemoryEngine;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A hot tier whose keys cannot be decoded when other threads change entries. */
class FailingKeyCodecTest {
  /** Texts, whose decoding may fail. */
  private static final class TextCodec implements Codec<String> {
    private boolean fails;

    @Override
    public String id() {
      return "text";
    }

    @Override
    public boolean immutable() {
      return true;
    }

    @Override
    public byte[] encode(String value) {
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      if (fails) {
        throw new StackOverflowError("as told");
      }
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
  }

  @Test
  void anEvictionThatEmptiesTheHotTierIsCounted() {
    MemoryEngine engine = MemoryEngine.builder().build();
    TextCodec keys = new TextCodec();
    try (Rockpool pool = Rockpool.at(o -> engine).open()) {
      PersistentCache<String, String> cache =
          pool.cache("c", String.class, String.class, o -> o.keyCodec(keys));
      for (String key : List.of("a", "b")) {
        cache.put(key, "v");
        cache.get(key);
        cache.get(key);
      }
      assertThat(cache.entries.hotSize()).isEqualTo(2);
      keys.fails = true;
      byte[] evicted = {'a'};
      assertThat(cache.entries.shared.evict(Collections.singletonList(evicted), true)).isEqualTo(1);
      assertThat(cache.entries.hotSize()).isZero();
      assertThat(pool.state().upkeep().failures()).isEqualTo(1);
      assertThat(pool.state().upkeep().failing())
          .containsExactlyEntriesOf(
              Map.of("The eviction of \"c\"", "java.lang.StackOverflowError: as told"));
      keys.fails = false;
      assertThat(cache.get("a")).isNull();
      assertThat(cache.get("b")).isEqualTo("v");
    }
  }
}

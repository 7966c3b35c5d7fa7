package io.rockpool.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rockpool.codec.Codec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Functions of the application that refuse a value matter only if the value is to be put. */
final class RefusedValueTest extends OnEverySetup {
  private PersistentCache<String, String> cache(boolean byTags) {
    CacheOptions<String, String> options = setup.options();
    return pool.cache(
        "cache" + byTags,
        String.class,
        String.class,
        o ->
            byTags
                ? options.tags(
                    (key, value) -> {
                      refuseEmpty(value);
                      return Set.of();
                    })
                : options.expiry(
                    CacheExpiry.writing(
                        (key, value) -> {
                          refuseEmpty(value);
                          return Duration.ofHours(1);
                        })));
  }

  private static void refuseEmpty(String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("empty");
    }
  }

  @Test
  void aValueThatIsNotPutIsNotRefused() {
    for (boolean byTags : new boolean[] {false, true}) {
      PersistentCache<String, String> cache = cache(byTags);
      assertThatIllegalArgumentException().isThrownBy(() -> cache.putIfAbsent("k", ""));
      assertThat(cache.replace("k", "")).isNull();
      assertThat(cache.replace("k", "a", "")).isFalse();
      assertThat(cache.get("k")).isNull();
      cache.put("k", "v");
      assertThat(cache.putIfAbsent("k", "")).isEqualTo("v");
      assertThat(cache.replace("k", "a", "")).isFalse();
      assertThatIllegalArgumentException().isThrownBy(() -> cache.replace("k", ""));
      assertThatIllegalArgumentException().isThrownBy(() -> cache.replace("k", "v", ""));
      assertThat(cache.get("k")).isEqualTo("v");
      assertThat(cache.putIfAbsent("k", "", Duration.ofHours(1))).isEqualTo("v");
      assertThat(cache.computeIfAbsent("k", key -> "")).isEqualTo("v");
      assertThat(cache.remove("k", "")).isFalse();
    }
  }

  /** Refuses to encode empty strings. */
  private static final class RefusingCodec implements Codec<String> {
    @Override
    public String id() {
      return "refusing";
    }

    @Override
    public byte[] encode(String value) {
      refuseEmpty(value);
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  @Test
  void aCodecRefusesOnlyWhatIsPut() {
    PersistentCache<String, String> cache =
        pool.cache(
            "codec",
            String.class,
            String.class,
            o -> setup.<String, String>options().valueCodec(new RefusingCodec()));
    assertThatIllegalArgumentException().isThrownBy(() -> cache.putIfAbsent("k", ""));
    assertThat(cache.remove("k", "")).isFalse();
    cache.put("k", "v");
    assertThat(cache.putIfAbsent("k", "")).isEqualTo("v");
    assertThat(cache.replace("k", "a", "")).isFalse();
    assertThat(cache.replace("k", "", "a")).isFalse();
    assertThat(cache.remove("k", "")).isFalse();
    assertThat(cache.get("k")).isEqualTo("v");
  }
}

package io.rockpool.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.codec.Codec;
import io.rockpool.codec.TypeRef;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pending changes whose keys a later codec cannot read, beside others. */
class UnreadablePendingKeyTest {
  @TempDir Path directory;

  private record Keys(@Nullable Throwable thrown) implements Codec<String> {
    @Override
    public String id() {
      return "names";
    }

    @Override
    public byte[] encode(String value) {
      return value.getBytes(UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      String value = new String(bytes, offset, length, UTF_8);
      if (thrown instanceof RuntimeException e && value.equals("old")) {
        throw e;
      }
      if (thrown instanceof Error e && value.equals("old")) {
        throw e;
      }
      return value;
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private static final class Target implements BatchWriter<String, String> {
    final Map<String, String> rows = new ConcurrentHashMap<>();
    boolean down;

    @Override
    public void writeAll(Map<String, String> entries) throws IOException {
      if (down) {
        throw new IOException("down");
      }
      rows.putAll(entries);
    }

    @Override
    public void deleteAll(Set<String> keys) {
      throw new UnsupportedOperationException();
    }
  }

  private PersistentCache<String, String> open(
      Rockpool pool, Target target, @Nullable Throwable thrown) {
    return pool.cache(
        "c",
        TypeRef.of(String.class),
        TypeRef.of(String.class),
        o ->
            o.keyCodec(new Keys(thrown))
                .writeBehind(
                    target,
                    WriteBehindOptions.defaults()
                        .delay(Duration.ofDays(1))
                        .closeTimeout(Duration.ZERO)));
  }

  static Throwable[] thrown() {
    return new Throwable[] {new BufferUnderflowException(), new NoClassDefFoundError("app/Gone")};
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void isADeadLetterAndTheOthersAreWritten(Throwable thrown) throws InterruptedException {
    try (Rockpool pool = Rockpool.open(directory)) {
      Target down = new Target();
      down.down = true;
      PersistentCache<String, String> cache = open(pool, down, null);
      cache.put("old", "1");
      cache.put("good", "2");
    }
    try (Rockpool pool = Rockpool.open(directory)) {
      Target target = new Target();
      PersistentCache<String, String> cache = open(pool, target, thrown);
      assertThat(cache.writeBehind().flush(Duration.ofSeconds(5))).isFalse();
      assertThat(target.rows).isEqualTo(Map.of("good", "2"));
      assertThat(cache.statistics().deadLetters()).isOne();
    }
  }
}

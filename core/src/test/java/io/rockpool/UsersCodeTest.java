package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.CacheOptions;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.concurrent.HeldLocks;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Codecs, policies, functions, loaders and listeners run while their thread holds no lock. */
final class UsersCodeTest {
  private static final Set<String> SEEN = new ConcurrentSkipListSet<>();

  @TempDir Path directory;

  private record Word(String text) {}

  /** Notes which code of a user's ran, and that it ran under no lock. */
  private static <T> T ran(String what, T result) {
    SEEN.add(what);
    assertThat(HeldLocks.ofThisThread()).as(what).isEmpty();
    return result;
  }

  private static final class WordCodec implements Codec<Word> {
    @Override
    public String id() {
      return ran("id", "word");
    }

    @Override
    public byte[] encode(Word value) {
      return ran("encode", value.text().getBytes(UTF_8));
    }

    @Override
    public Word decode(byte[] bytes, int offset, int length) {
      return ran("decode", new Word(new String(bytes, offset, length, UTF_8)));
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private static CacheOptions<Word, Word> options(long hotEntries) {
    return CacheOptions.<Word, Word>defaults()
        .expiry(CacheExpiry.writing((key, value) -> ran("expiry", Duration.ofHours(1))))
        .hotEntries(hotEntries)
        .warmRestart(false);
  }

  private Rockpool open() {
    Codecs codecs = Codecs.builder().register(TypeRef.of(Word.class), new WordCodec()).build();
    return Rockpool.at(directory).memoryBytes(16L << 20).codecs(codecs).open();
  }

  @Test
  void runsUnderNoLock() {
    assertThat(HeldLocks.areChecked()).isTrue();
    Word a = new Word("a");
    Word b = new Word("b");
    try (Rockpool pool = open()) {
      for (long hotEntries : new long[] {100, 0}) {
        useCache(pool.cache("cache-" + hotEntries, WORD, WORD, o -> options(hotEntries)), a, b);
      }
      PersistentMap<Word, Word> map = pool.map("map", Word.class, Word.class);
      map.addListener((key, before, after) -> ran("map's listener", true));
      map.put(a, b);
      map.merge(a, b, (old, value) -> ran("merge", new Word(old.text() + value.text())));
      assertThat(map.computeIfAbsent(b, key -> ran("computeIfAbsent", key))).isEqualTo(b);
      map.replaceAll((key, value) -> ran("replaceAll", b));
      assertThat(Map.copyOf(map)).isEqualTo(Map.of(a, b, b, b));
      PersistentSet<Word> set = pool.set("set", Word.class);
      assertThat(set.addAll(List.of(a, b))).isTrue();
      assertThat(set.removeIf(word -> ran("removeIf", word.equals(a)))).isTrue();
      PersistentDeque<Word> deque = pool.deque("deque", Word.class);
      deque.addAll(List.of(a, b));
      // Polling decodes under the row's lock: what cannot be decoded is to stay.
      assertThat(deque.peekFirst()).isEqualTo(a);
    }
    try (Rockpool pool = open()) {
      assertThat(pool.map("map", Word.class, Word.class).get(a)).isEqualTo(b);
      pool.names().dropAll();
    }
    assertThat(SEEN)
        .contains("id", "encode", "decode", "expiry", "loader", "loader of all", "compute")
        .contains("map's listener", "merge", "computeIfAbsent", "replaceAll", "removeIf");
  }

  private static final TypeRef<Word> WORD = TypeRef.of(Word.class);

  private static void useCache(PersistentCache<Word, Word> cache, Word a, Word b) {
    cache.onExpired((key, value) -> ran("listener of expired", true));
    cache.put(a, b);
    cache.putAll(Map.of(a, a, b, b));
    assertThat(cache.compute(a, (key, value) -> ran("compute", b))).isEqualTo(b);
    Word c = new Word("c");
    assertThat(cache.get(c, key -> ran("loader", a))).isEqualTo(a);
    Word d = new Word("d");
    assertThat(
            cache.getAll(
                List.of(c, d),
                keys ->
                    ran(
                        "loader of all",
                        keys.stream().collect(Collectors.toMap(key -> key, key -> key)))))
        .containsEntry(d, d);
  }
}

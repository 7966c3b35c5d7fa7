package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rockpool.cache.CacheOptions.OnUndecodable;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.OrderedCodec;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.error.UnencodableValueException;
import io.rockpool.queue.PersistentQueue;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A codec of the application that returns null is named, and nothing is stored. */
@SuppressWarnings("NullAway") // which finds such codecs
class NullFromCodecTest {
  private record Name(String text) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return text.compareTo(other.text);
    }
  }

  private static final Name BAD = new Name("bad");
  private static final Name GOOD = new Name("good");

  private volatile boolean decodesNull;

  /** Encodes {@link #BAD} as null. */
  private class Names implements Codec<Name> {
    @Override
    public String id() {
      return "names";
    }

    @Override
    public byte @Nullable [] encode(Name name) {
      return name.equals(BAD) ? null : name.text.getBytes(UTF_8);
    }

    @Override
    public @Nullable Name decode(byte[] bytes, int offset, int length) {
      return decodesNull ? null : new Name(new String(bytes, offset, length, UTF_8));
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  private final class SortedNames extends Names implements OrderedCodec<Name> {
    @Override
    public int compare(Name a, Name b) {
      return a.compareTo(b);
    }
  }

  private Codecs codecs() {
    return Codecs.builder().register(TypeRef.of(Name.class), new SortedNames()).build();
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UnencodableValueException.class)
        .hasMessageContaining("The codec \"names\" of class " + NullFromCodecTest.class.getName())
        .hasMessageContaining(
            "returned null as the bytes of an instance of " + Name.class.getName());
  }

  private static void assertUndecodable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UndecodableValueException.class)
        .hasMessageContaining("The codec \"names\" of class " + NullFromCodecTest.class.getName())
        .hasMessageContaining("returned null for 4 bytes");
  }

  @Test
  void aCacheWithSuchCodecs(@TempDir Path directory) {
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<Name, Name> cache =
          pool.cache(
              "c",
              Name.class,
              Name.class,
              o ->
                  o.keyCodec(new Names())
                      .valueCodec(new Names())
                      .onUndecodable(OnUndecodable.FAIL)
                      .hotEntries(0));
      assertThatThrownBy(() -> cache.put(GOOD, BAD)).hasMessageContaining("Cache \"c\"");
      assertRefused(() -> cache.put(GOOD, BAD));
      assertRefused(() -> cache.putAll(Map.of(GOOD, BAD)));
      assertRefused(() -> cache.get(GOOD, key -> BAD));
      assertRefused(() -> cache.compute(GOOD, (key, old) -> BAD));
      assertRefused(() -> cache.put(BAD, GOOD));
      assertRefused(() -> cache.get(BAD));
      assertThat(cache.iterator()).isExhausted();
      cache.put(GOOD, GOOD);
      assertThat(cache.get(GOOD)).isEqualTo(GOOD);
      decodesNull = true;
      assertUndecodable(() -> cache.get(GOOD));
      assertUndecodable(() -> cache.getAll(List.of(GOOD)));
      assertUndecodable(() -> cache.replace(GOOD, GOOD));
      assertUndecodable(() -> cache.iterator().next());
    }
  }

  @Test
  void aCacheOfARegisteredType() {
    try (Rockpool pool = Rockpool.temporary().codecs(codecs()).open()) {
      PersistentCache<Name, Name> cache = pool.cache("c", Name.class, Name.class);
      assertRefused(() -> cache.put(GOOD, BAD));
      assertRefused(() -> cache.put(BAD, GOOD));
      PersistentCache<List<Name>, String> nested =
          pool.cache(
              "nested",
              new TypeRef<List<Name>>() {},
              TypeRef.of(String.class),
              o -> o.onUndecodable(OnUndecodable.FAIL));
      assertRefused(() -> nested.put(List.of(BAD), "v"));
      nested.put(List.of(GOOD), "v");
      decodesNull = true;
      assertUndecodable(() -> nested.keys().toList());
    }
  }

  @Test
  void collections() throws Exception {
    try (Rockpool pool = Rockpool.temporary().codecs(codecs()).open()) {
      PersistentMap<Name, Name> map = pool.map("map", Name.class, Name.class);
      PersistentSortedMap<Name, Name> sorted = pool.sortedMap("sorted", Name.class, Name.class);
      PersistentSet<Name> set = pool.set("set", Name.class);
      PersistentDeque<Name> deque = pool.deque("deque", Name.class);
      PersistentValue<Name> value = pool.value("value", Name.class);
      PersistentQueue<Name> queue = pool.queue("queue", Name.class);
      for (Map<Name, Name> it : List.of(map, sorted)) {
        assertRefused(() -> it.put(GOOD, BAD));
        assertRefused(() -> it.put(BAD, GOOD));
        assertThat(it).isEmpty();
        it.put(GOOD, GOOD);
      }
      assertRefused(() -> set.add(BAD));
      assertRefused(() -> deque.add(BAD));
      assertRefused(() -> value.set(BAD));
      assertRefused(() -> queue.send(BAD));
      assertThat(set).isEmpty();
      assertThat(deque).isEmpty();
      assertThat(value.get()).isNull();
      set.add(GOOD);
      deque.add(GOOD);
      value.set(GOOD);
      decodesNull = true;
      assertUndecodable(() -> map.get(GOOD));
      assertUndecodable(() -> sorted.firstKey());
      assertUndecodable(() -> set.iterator().next());
      assertUndecodable(() -> deque.peek());
      assertUndecodable(() -> value.get());
    }
  }
}

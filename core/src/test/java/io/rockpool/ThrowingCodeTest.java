package io.rockpool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rockpool.cache.CacheExpiry;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.Codec;
import io.rockpool.codec.Codecs;
import io.rockpool.codec.TypeRef;
import io.rockpool.error.UndecodableValueException;
import io.rockpool.internal.access.Decision;
import io.rockpool.internal.access.Internals;
import io.rockpool.store.VerifyOptions;
import io.rockpool.structure.Mutations;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.structure.PersistentScoredSet;
import io.rockpool.structure.PersistentSortedMap;
import io.rockpool.structure.PersistentTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Code of a user's throws, whatever there is to throw, at each place where it is called: the caller
 * gets what was thrown, nothing is half done, and everyone goes on as if it had not been tried.
 */
@Timeout(60)
final class ThrowingCodeTest {
  private static final String KEY = "key";
  private static final String OTHER = "other";

  @TempDir Path directory;

  static List<Throwable> throwables() {
    return List.of(
        new IllegalArgumentException("thrown by a user's code"),
        new OutOfMemoryError("thrown by a user's code"),
        new StackOverflowError("thrown by a user's code"),
        new AssertionError("thrown by a user's code"));
  }

  /** Words, whose codec throws where it is told to. */
  record Word(String text) {}

  private static final class WordCodec implements Codec<Word> {
    @Nullable Throwable inEncode;
    @Nullable Throwable inDecode;

    @Override
    public String id() {
      return "words";
    }

    @Override
    public byte[] encode(Word word) {
      throwIfAny(inEncode);
      return word.text().getBytes(UTF_8);
    }

    @Override
    public Word decode(byte[] bytes, int offset, int length) {
      throwIfAny(inDecode);
      return new Word(new String(bytes, offset, length, UTF_8));
    }

    @Override
    public boolean immutable() {
      return true;
    }
  }

  /** Whether it is what a codec's {@code decode} threw, or the exception of one that must not. */
  static Consumer<Throwable> ofDecode(Throwable thrown) {
    return caught -> {
      if (thrown instanceof OutOfMemoryError) {
        assertThat(caught).isSameAs(thrown);
      } else {
        assertThat(caught)
            .isInstanceOf(UndecodableValueException.class)
            .hasStackTraceContaining(thrown.toString());
      }
    };
  }

  static void throwIfAny(@Nullable Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    if (e instanceof RuntimeException exception) {
      throw exception;
    }
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // it stands where any value is expected
  private static <T> T failWith(Throwable e) {
    throwIfAny(e);
    throw new IllegalStateException("neither an error nor unchecked", e);
  }

  /** What all structures of a test hold. */
  private static final class Content {
    final PersistentCache<String, String> cache;
    final PersistentMap<String, String> map;
    final PersistentSortedMap<String, String> sorted;
    final PersistentTable<String, String, String> table;
    final PersistentDeque<String> deque;
    final PersistentScoredSet<String> scored;
    private final Rockpool pool;

    Content(Rockpool pool) {
      this.pool = pool;
      this.cache = pool.cache("cache", String.class, String.class);
      this.map = pool.map("map", String.class, String.class);
      this.sorted = pool.sortedMap("sorted", String.class, String.class);
      this.table = pool.table("table", String.class, String.class, String.class);
      this.deque = pool.deque("deque", String.class);
      this.scored = pool.scoredSet("scored", String.class);
      cache.put(KEY, "1");
      map.put(KEY, "1");
      sorted.put(KEY, "1");
      table.put(KEY, KEY, "1");
      deque.addAll(List.of("1", "2", "3"));
      scored.add(KEY, 1);
      pool.value("value", String.class).set("1");
      pool.counter("counter").set(1);
    }

    @Override
    public String toString() {
      Map<String, Object> all = new TreeMap<>();
      all.put("cache", cache.getAll(Set.of(KEY, OTHER)));
      all.put("map", new TreeMap<>(map));
      all.put("sorted", new TreeMap<>(sorted));
      all.put("table", new TreeMap<>(table.row(KEY)));
      all.put("deque", List.copyOf(deque));
      all.put("scored", scored.score(KEY) + " " + scored.contains(OTHER));
      all.put("value", pool.value("value", String.class).get());
      all.put("counter", pool.counter("counter").get());
      return all.toString();
    }

    /** Another thread can change everything, which no lock keeps it from, and undo it. */
    void assertFree() throws Exception {
      CompletableFuture.runAsync(
              () -> {
                cache.put(KEY, "2");
                cache.put(KEY, "1");
                map.put(KEY, "2");
                map.put(KEY, "1");
                sorted.put(KEY, "1");
                table.put(KEY, KEY, "1");
                deque.addFirst("0");
                deque.removeFirst();
                scored.add(KEY, 2);
                scored.add(KEY, 1);
                pool.atomically(
                    tx -> {
                      map.put(OTHER, "1");
                      cache.put(OTHER, "1");
                      return tx;
                    });
                map.remove(OTHER);
                cache.invalidate(OTHER);
              })
          .get(20, TimeUnit.SECONDS);
    }
  }

  private record Place(String name, Runnable call) {}

  private static List<Place> places(Rockpool pool, Content c, Throwable e) {
    List<Place> places = new ArrayList<>();
    places.add(new Place("loader", () -> c.cache.get(OTHER, key -> failWith(e))));
    places.add(new Place("loader of all", () -> c.cache.getAll(List.of(OTHER), k -> failWith(e))));
    places.add(new Place("cache compute", () -> c.cache.compute(KEY, (k, v) -> failWith(e))));
    places.add(
        new Place(
            "cache computeIfPresent", () -> c.cache.computeIfPresent(KEY, (k, v) -> failWith(e))));
    places.add(new Place("cache merge", () -> c.cache.merge(KEY, "2", (a, b) -> failWith(e))));
    places.add(
        new Place("cache decide", () -> Internals.cache(c.cache).decide(KEY, v -> failWith(e))));
    places.add(
        new Place(
            "cache decideAll",
            () -> Internals.cache(c.cache).decideAll(List.of(KEY, OTHER), (k, v) -> failWith(e))));
    places.add(new Place("map compute", () -> c.map.compute(KEY, (k, v) -> failWith(e))));
    places.add(
        new Place("map computeIfAbsent", () -> c.map.computeIfAbsent(OTHER, k -> failWith(e))));
    places.add(new Place("map merge", () -> c.map.merge(KEY, "2", (a, b) -> failWith(e))));
    places.add(new Place("map replaceAll", () -> c.map.replaceAll((k, v) -> failWith(e))));
    places.add(new Place("map forEach", () -> c.map.forEach((k, v) -> failWith(e))));
    places.add(new Place("map removeIf", () -> c.map.values().removeIf(v -> failWith(e))));
    places.add(new Place("sorted compute", () -> c.sorted.compute(KEY, (k, v) -> failWith(e))));
    places.add(
        new Place("table row compute", () -> c.table.row(KEY).compute(KEY, (k, v) -> failWith(e))));
    places.add(new Place("deque removeIf", () -> c.deque.removeIf(v -> failWith(e))));
    places.add(new Place("scored removeIf", () -> c.scored.removeIf(v -> failWith(e))));
    places.add(
        new Place("value", () -> pool.value("value", String.class).updateAndGet(v -> failWith(e))));
    places.add(new Place("counter", () -> pool.counter("counter").updateAndGet(v -> failWith(e))));
    places.add(
        new Place(
            "transaction",
            () ->
                pool.atomically(
                    tx -> {
                      c.map.put(OTHER, "2");
                      c.cache.put(KEY, "2");
                      c.deque.pollFirst();
                      c.scored.add(OTHER, 5);
                      c.table.mutate(KEY, new Mutations<String, String>().put(OTHER, "2"));
                      tx.afterCommit(() -> c.map.put("never", "3"));
                      return ThrowingCodeTest.<String>failWith(e);
                    })));
    places.add(
        new Place(
            "compute in a transaction",
            () ->
                pool.atomically(
                    tx -> {
                      c.map.put(OTHER, "2");
                      return c.cache.compute(KEY, (k, v) -> failWith(e));
                    })));
    return places;
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void theCallerGetsItAndNothingIsChanged(Throwable thrown) throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      Content content = new Content(pool);
      String before = content.toString();
      for (Place place : places(pool, content, thrown)) {
        assertThat(catchThrowable(place.call()::run)).as(place.name()).isSameAs(thrown);
        assertThat(content).as(place.name()).hasToString(before);
        content.assertFree();
        assertThat(content).as("%s, after others", place.name()).hasToString(before);
      }
      assertThat(pool.verify().toString()).contains("nothing wrong");
    }
  }

  /** A listener is told of what is done: it can change nothing about that. */
  @ParameterizedTest
  @MethodSource("throwables")
  void whatAListenerThrowsIsNoBusinessOfTheWriters(Throwable thrown) throws Exception {
    try (Rockpool pool = Rockpool.open(directory)) {
      Content c = new Content(pool);
      List<String> told = new ArrayList<>();
      c.map.addListener((key, before, after) -> failWith(thrown));
      c.map.addListener((key, before, after) -> told.add("map"));
      c.table.addListener((row, key, before, after) -> failWith(thrown));
      c.deque.addListener((element, added) -> failWith(thrown));
      c.deque.addListener((element, added) -> told.add("deque"));
      c.scored.addListener((element, before, after) -> failWith(thrown));
      pool.value("value", String.class).addListener((before, after) -> failWith(thrown));
      c.map.put(OTHER, "2");
      c.table.put(KEY, OTHER, "2");
      c.deque.addFirst("0");
      c.scored.add(OTHER, 2);
      pool.value("value", String.class).set("2");
      assertThat(told).containsExactly("map", "deque");
      pool.atomically(
          tx -> {
            tx.afterCommit(() -> failWith(thrown));
            tx.afterCommit(() -> told.add("commit"));
            return c.map.remove(OTHER);
          });
      assertThat(told).containsExactly("map", "deque", "commit", "map");
      assertThat(c.map).doesNotContainKey(OTHER);
      assertThat(c.table.get(KEY, OTHER)).isEqualTo("2");
      assertThat(c.deque.peekFirst()).isEqualTo("0");
      assertThat(c.scored.score(OTHER)).hasValue(2.0);
      assertThat(pool.value("value", String.class).get()).isEqualTo("2");
      c.deque.clear();
      c.map.clear();
      c.assertFree();
      assertThat(pool.verify().toString()).contains("nothing wrong");
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void anExpiryFunctionThatThrowsLeavesTheEntryAsItWas(Throwable thrown) {
    Throwable[] now = new Throwable[1];
    CacheExpiry<String, String> expiry =
        CacheExpiry.writing(
            (key, value) -> {
              throwIfAny(now[0]);
              return Duration.ofDays(1);
            });
    try (Rockpool pool = Rockpool.open(directory)) {
      PersistentCache<String, String> cache =
          pool.cache("cache", String.class, String.class, o -> o.expiry(expiry));
      cache.put(KEY, "1");
      now[0] = thrown;
      List<Runnable> writes =
          List.of(
              () -> cache.put(KEY, "2"),
              () -> cache.putAll(Map.of(KEY, "2")),
              () -> cache.putIfAbsent(OTHER, "2"),
              () -> cache.replace(KEY, "2"),
              () -> cache.compute(KEY, (k, v) -> "2"),
              () -> cache.get(OTHER, k -> "2"),
              () -> cache.getAll(List.of(OTHER), k -> Map.of(OTHER, "2")),
              () -> Internals.cache(cache).decideAll(List.of(KEY), (k, v) -> Decision.put("2")));
      for (Runnable write : writes) {
        assertThat(catchThrowable(write::run)).isSameAs(thrown);
        assertThat(cache.getAll(Set.of(KEY, OTHER))).isEqualTo(Map.of(KEY, "1"));
      }
      now[0] = null;
      cache.put(KEY, "3");
      assertThat(cache.get(KEY)).isEqualTo("3");
      assertThat(pool.verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aCodecThatThrowsChangesNothing(Throwable thrown) {
    WordCodec codec = new WordCodec();
    Codecs codecs = Codecs.builder().register(Word.class, codec).build();
    TypeRef<Word> words = TypeRef.of(Word.class);
    TypeRef<String> strings = TypeRef.of(String.class);
    Word one = new Word("1");
    Word two = new Word("2");
    try (Rockpool pool = Rockpool.at(directory).codecs(codecs).open()) {
      PersistentCache<String, Word> cache =
          pool.cache("cache", strings, words, o -> o.hotEntries(0));
      PersistentMap<String, Word> map = pool.map("map", strings, words);
      PersistentDeque<Word> deque = pool.deque("deque", Word.class);
      PersistentScoredSet<Word> scored = pool.scoredSet("scored", Word.class);
      cache.put(KEY, one);
      map.put(KEY, one);
      deque.add(one);
      scored.add(one, 1);
      Supplier<List<Object>> content =
          () ->
              List.of(
                  String.valueOf(cache.get(KEY)),
                  new TreeMap<>(map),
                  List.copyOf(deque),
                  scored.contains(two));
      List<Object> before = content.get();
      codec.inEncode = thrown;
      for (Runnable write :
          List.<Runnable>of(
              () -> cache.put(KEY, two),
              () -> cache.putAll(Map.of(KEY, two)),
              () -> cache.compute(KEY, (k, v) -> two),
              () -> cache.get(OTHER, k -> two),
              () -> map.put(KEY, two),
              () -> map.merge(KEY, two, (a, b) -> two),
              () -> map.putAll(Map.of(KEY, two)),
              () -> deque.addFirst(two),
              () -> deque.set(0, two),
              () -> deque.addAll(List.of(two, two)),
              () -> scored.add(two, 1),
              () ->
                  pool.atomically(
                      tx -> {
                        deque.removeFirst();
                        return deque.offerFirst(two);
                      }),
              () ->
                  pool.atomically(
                      tx -> {
                        codec.inEncode = null;
                        map.put(OTHER, two);
                        codec.inEncode = thrown;
                        return map.put(KEY, two);
                      }))) {
        Throwable caught = catchThrowable(write::run);
        codec.inEncode = null;
        assertThat(caught).isSameAs(thrown);
        assertThat(content.get()).isEqualTo(before);
        codec.inEncode = thrown;
      }
      codec.inEncode = null;
      codec.inDecode = thrown;
      for (Runnable read :
          List.<Runnable>of(
              () -> map.get(KEY),
              () -> map.compute(KEY, (k, v) -> two),
              () -> deque.peekFirst(),
              () -> deque.pollFirst(),
              () -> deque.drainTo(new ArrayList<>()),
              () -> map.forEach((k, v) -> {}))) {
        Throwable caught = catchThrowable(read::run);
        codec.inDecode = null;
        assertThat(caught).satisfies(ofDecode(thrown));
        assertThat(content.get()).isEqualTo(before);
        codec.inDecode = thrown;
      }
      assertThat(catchThrowable(() -> scored.pollFirst())).as("a key").isSameAs(thrown);
      for (Supplier<Word> read :
          List.<Supplier<Word>>of(
              () -> cache.get(KEY),
              () -> cache.getAndRemove(KEY),
              () -> cache.getAndPut(KEY, two))) {
        if (thrown instanceof OutOfMemoryError) {
          assertThat(catchThrowable(read::get)).isSameAs(thrown);
        } else {
          assertThat(read.get()).as("a miss").isNull();
        }
        codec.inDecode = null;
        cache.put(KEY, one);
        codec.inDecode = thrown;
      }
      codec.inDecode = null;
      assertThat(content.get()).isEqualTo(before);
      codec.inDecode = thrown;
      // What has to return the old value changes nothing; what does not, overwrites and removes.
      assertThat(catchThrowable(() -> map.put(KEY, two))).satisfies(ofDecode(thrown));
      assertThat(catchThrowable(() -> map.remove(KEY))).satisfies(ofDecode(thrown));
      codec.inDecode = null;
      assertThat(content.get()).isEqualTo(before);
      codec.inDecode = thrown;
      map.putAll(Map.of(KEY, two));
      codec.inDecode = null;
      assertThat(map).hasSize(1).containsEntry(KEY, two);
      codec.inDecode = thrown;
      assertThat(map.keySet().remove(KEY)).isTrue();
      codec.inDecode = null;
      assertThat(map).isEmpty();
      assertThat(pool.verify(VerifyOptions.defaults().decodeValues(true)).toString())
          .contains("nothing wrong");
    }
  }

  @Test
  void anInterruptedWriterWritesAndStaysInterrupted() {
    try (Rockpool pool = Rockpool.open(directory)) {
      Content content = new Content(pool);
      Thread.currentThread().interrupt();
      content.map.put(OTHER, "2");
      content.cache.put(OTHER, "2");
      pool.flush();
      assertThat(content.map.get(OTHER)).isEqualTo("2");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(pool.verify().isClean()).isTrue();
    }
  }
}

package io.rockpool.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.Rockpool;
import io.rockpool.cache.PersistentCache;
import io.rockpool.codec.TypeRef;
import io.rockpool.internal.rocksdb.files.JournalFile;
import io.rockpool.store.VerifyOptions;
import io.rockpool.structure.PersistentDeque;
import io.rockpool.structure.PersistentMap;
import io.rockpool.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the journal holds is there after a crash, once. */
@Slow
@Timeout(60)
final class JournalReplayTest {
  private static final TypeRef<Integer> KEY = TypeRef.of(Integer.class);
  private static final TypeRef<String> VALUE = TypeRef.of(String.class);
  private static final int KEYS = 200;

  @TempDir Path parent;
  private final Map<Integer, String> map = new HashMap<>();
  private final Map<Integer, String> cache = new HashMap<>();
  private final Deque<String> deque = new ArrayDeque<>();

  private Path store() {
    return parent.resolve("store");
  }

  /** The collections of an open store. */
  private record Opened(
      PersistentMap<Integer, String> map,
      PersistentCache<Integer, String> cache,
      PersistentDeque<String> deque) {
    static Opened in(Rockpool pool) {
      return new Opened(
          pool.map("map", KEY, VALUE, o -> o),
          pool.cache("cache", KEY, VALUE, o -> o),
          pool.deque("deque", VALUE, o -> o));
    }
  }

  private void change(Opened opened, Random random, int steps) {
    for (int step = 0; step < steps; step++) {
      int key = random.nextInt(KEYS);
      String value = "value " + random.nextInt();
      switch (random.nextInt(6)) {
        case 0 -> assertThat(opened.map.put(key, value)).isEqualTo(map.put(key, value));
        case 1 -> assertThat(opened.map.remove(key)).isEqualTo(map.remove(key));
        case 2 -> {
          opened.cache.put(key, value);
          cache.put(key, value);
        }
        case 3 -> {
          opened.cache.remove(key);
          cache.remove(key);
        }
        case 4 -> {
          opened.deque.addLast(value);
          deque.addLast(value);
        }
        default -> assertThat(opened.deque.pollFirst()).isEqualTo(deque.pollFirst());
      }
    }
  }

  private void assertHasAll(Path directory) {
    try (Rockpool pool = Rockpool.at(directory).open()) {
      assertThat(pool.state().recovery().orElseThrow().changesLost()).isZero();
      Opened opened = Opened.in(pool);
      assertThat(opened.map).isEqualTo(map).hasSize(map.size());
      Map<Integer, String> found = new HashMap<>();
      for (int key = 0; key < KEYS; key++) {
        String value = opened.cache.get(key);
        if (value != null) {
          found.put(key, value);
        }
      }
      assertThat(found).isEqualTo(cache);
      assertThat(List.copyOf(opened.deque)).isEqualTo(List.copyOf(deque));
      assertThat(opened.deque).hasSize(deque.size());
      assertThat(pool.verify(VerifyOptions.defaults()).isClean()).isTrue();
    }
  }

  /** A copy as a crash leaves it: the journal first, as its changes move to the database. */
  private Path copy(String name) throws IOException {
    Path copy = parent.resolve(name);
    Files.createDirectories(copy);
    Files.copy(store().resolve("journal"), copy.resolve("journal"));
    copyAllBut("journal", copy);
    return copy;
  }

  private void copyAllBut(String left, Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(store())) {
      for (Path file : files.toList()) {
        Path name = store().relativize(file);
        Path target = copy.resolve(name.toString());
        if (!name.startsWith(left) && Files.notExists(target)) {
          Files.copy(file, target);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.rockpool.testing.Seeds#all")
  void everyAcknowledgedChangeIsThereOnceHoweverOftenItIsReplayed(long seed) throws IOException {
    Random random = new Random(seed);
    int frames = 0;
    try (Rockpool pool = Rockpool.at(store()).open()) {
      Opened opened = Opened.in(pool);
      for (int crash = 0; crash < 10; crash++) {
        change(opened, random, 1 + random.nextInt(300));
        Path copy = copy("crashed-" + crash);
        frames += JournalFile.read(copy).size();
        Path journal = parent.resolve("journal-" + crash);
        Files.copy(copy.resolve("journal"), journal);
        assertHasAll(copy);
        // Killed before it has begun its own journal.
        Files.copy(journal, copy.resolve("journal"), StandardCopyOption.REPLACE_EXISTING);
        assertHasAll(copy);
      }
    }
    assertThat(frames).isPositive();
    assertHasAll(store());
  }

  @Test
  void changesThatDoNotFollowTheDatabaseAreNotReplayed() throws IOException {
    try (Rockpool pool = Rockpool.at(store()).open()) {
      Opened opened = Opened.in(pool);
      change(opened, new Random(1), 100);
      pool.flush();
      Path older = parent.resolve("older");
      Files.createDirectories(older);
      copyAllBut("journal", older);
      Map<Integer, String> mapThen = Map.copyOf(map);
      Map<Integer, String> cacheThen = Map.copyOf(cache);
      List<String> dequeThen = List.copyOf(deque);
      change(opened, new Random(2), 2_000);
      Files.copy(store().resolve("journal"), older.resolve("journal"));
      map.clear();
      map.putAll(mapThen);
      cache.clear();
      cache.putAll(cacheThen);
      deque.clear();
      deque.addAll(dequeThen);
      assertHasAll(older);
    }
  }
}

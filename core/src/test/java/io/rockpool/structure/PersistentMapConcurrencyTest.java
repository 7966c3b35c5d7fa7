package io.rockpool.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.Threads;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentMapConcurrencyTest {
  private static final int KEYS = 10;
  private static final int ROUNDS = 40;

  @TempDir Path directory;
  private StoreUnderTest store;

  private PersistentMap<Integer, Long> open(Kind kind) {
    store = new StoreUnderTest(kind, directory);
    return store.pool().map("contended", Integer.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void losesNoUpdate(Kind kind) throws Exception {
    PersistentMap<Integer, Long> map = open(kind);
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int i = 0; i < ROUNDS * KEYS; i++) {
            int key = (i + thread) % KEYS;
            map.merge(key, 1L, Long::sum);
            map.increment(key, 1);
            map.compute(key, (k, value) -> value + 1);
          }
        });
    assertThat(map).hasSize(KEYS);
    assertThat(map.values()).containsOnly(3L * ROUNDS * Threads.CONTENDERS);
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyWins(Kind kind) throws Exception {
    PersistentMap<Integer, Long> map = open(kind);
    AtomicInteger put = new AtomicInteger();
    AtomicInteger replaced = new AtomicInteger();
    AtomicInteger removed = new AtomicInteger();
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int key = 0; key < 100; key++) {
            put.addAndGet(map.putIfAbsent(key, 0L) == null ? 1 : 0);
            replaced.addAndGet(map.replace(key, 0L, 1L + thread) ? 1 : 0);
          }
        });
    assertThat(put).hasValue(100);
    assertThat(replaced).hasValue(100);
    assertThat(map).hasSize(100);
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int key = 0; key < 100; key++) {
            removed.addAndGet(map.remove(key) != null ? 1 : 0);
          }
        });
    assertThat(removed).hasValue(100);
    assertThat(map).isEmpty();
    assertThat(map.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aFunctionMayUseTheSameMap(Kind kind) throws Exception {
    PersistentMap<Integer, Long> map = open(kind);
    Threads.run(
        Threads.CONTENDERS,
        thread -> {
          for (int i = 0; i < 50; i++) {
            int key = (i + thread) % KEYS;
            map.compute(key, (k, value) -> map.merge(KEYS + (k + 1) % KEYS, 1L, Long::sum));
          }
        });
    assertThat(map.keySet()).hasSize(2 * KEYS);
  }

  @ParameterizedTest
  @EnumSource
  void aWalkSeesWhatStaysWhileTheRestChanges(Kind kind) throws Exception {
    PersistentMap<Integer, Long> map = open(kind);
    for (int key = 0; key < 600; key++) {
      map.put(key, 0L);
    }
    Threads.run(
        4,
        thread -> {
          for (int round = 0; round < 5; round++) {
            if (thread == 0) {
              Iterator<Map.Entry<Integer, Long>> walk = map.entrySet().iterator();
              boolean[] seen = new boolean[600];
              while (walk.hasNext()) {
                int key = walk.next().getKey();
                assertThat(seen[key]).isFalse();
                seen[key] = true;
              }
              for (int key = 0; key < 600; key += 2) {
                assertThat(seen[key]).isTrue();
              }
            } else {
              for (int key = 1; key < 600; key += 2) {
                map.remove(key);
                map.put(key, (long) thread);
              }
            }
          }
        });
    assertThat(map).hasSize(600);
  }
}

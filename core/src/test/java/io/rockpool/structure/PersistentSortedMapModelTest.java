package io.rockpool.structure;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on a sorted map, its views and theirs, against {@code java.util}'s. */
class PersistentSortedMapModelTest {
  private static final List<Long> NUMBERS =
      List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -256L, -1L, 0L, 1L, 255L, Long.MAX_VALUE);
  private static final List<String> TEXTS =
      List.of("", "\0", "\0\0", "\0a", "a", "a\0", "ab", "b", "\u00ff", "\ud83d\ude00", "\uffff");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void doesWhatTheModelDoesWithNumbers(Kind kind) {
    run(kind, TypeRef.of(Long.class), NUMBERS);
  }

  @ParameterizedTest
  @EnumSource
  void doesWhatTheModelDoesWithTexts(Kind kind) {
    run(kind, TypeRef.of(String.class), TEXTS);
  }

  private <K extends Comparable<K>> void run(Kind kind, TypeRef<K> type, List<K> keys) {
    int seeds = kind == Kind.ROCKSDB ? 4 : 12;
    for (long seed = 0; seed < seeds; seed++) {
      StoreUnderTest store = new StoreUnderTest(kind, directory.resolve("seed-" + seed));
      SortedMapModelRun<K> run = new SortedMapModelRun<>(store, type, keys, seed);
      try (store) {
        for (int i = 0; i < 400; i++) {
          run.step();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Seed " + seed + ", after " + run.done, e);
      }
    }
  }
}

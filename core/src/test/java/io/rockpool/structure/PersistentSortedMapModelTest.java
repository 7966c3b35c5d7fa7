package io.rockpool.structure;

import io.rockpool.codec.TypeRef;
import io.rockpool.structure.StoreUnderTest.Kind;
import io.rockpool.testing.ModelCheck;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("encrypted")
class PersistentSortedMapModelTest {
  private static final int STEPS_ON_DISK = 150;
  private static final int STEPS_IN_MEMORY = 1_000;

  private static final List<Long> NUMBERS =
      List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -256L, -1L, 0L, 1L, 255L, Long.MAX_VALUE);
  private static final List<String> TEXTS =
      List.of("", "\0", "\0\0", "\0a", "a", "a\0", "ab", "b", "\u00ff", "\ud83d\ude00", "\uffff");

  @TempDir Path directory;
  private int worlds;

  @ParameterizedTest
  @EnumSource
  void doesWhatASkipListMapDoesWithNumbers(Kind kind) {
    run(kind, TypeRef.of(Long.class), NUMBERS);
  }

  @ParameterizedTest
  @EnumSource
  void doesWhatASkipListMapDoesWithTexts(Kind kind) {
    run(kind, TypeRef.of(String.class), TEXTS);
  }

  private <K extends Comparable<K>> void run(Kind kind, TypeRef<K> type, List<K> keys) {
    ModelCheck.run(
        () -> new SortedMapWorld<>(open(kind), type, keys),
        kind == Kind.ROCKSDB ? STEPS_ON_DISK : STEPS_IN_MEMORY);
  }

  private StoreUnderTest open(Kind kind) {
    return new StoreUnderTest(kind, directory.resolve("world-" + worlds++));
  }
}

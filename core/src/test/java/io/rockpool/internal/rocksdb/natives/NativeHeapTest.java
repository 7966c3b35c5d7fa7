package io.rockpool.internal.rocksdb.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.rocksdb.Slice;

@EnabledOnOs(OS.LINUX)
class NativeHeapTest {
  private static final int PIECE_BYTES = 2_000;
  private static final int PIECES = 50_000;
  private static final long TAKEN_BYTES = (long) PIECE_BYTES * PIECES;

  @BeforeAll
  static void loadLibrary() {
    NativeLibrary.load(Path.of("target", "native"));
  }

  /** Takes memory and frees it again, but for pieces here and there, so that it is kept. */
  private static List<Slice> fragments() {
    List<Slice> pieces = new ArrayList<>();
    for (int i = 0; i < PIECES; i++) {
      pieces.add(new Slice(new byte[PIECE_BYTES]));
    }
    List<Slice> kept = new ArrayList<>();
    for (int i = 0; i < PIECES; i++) {
      if (i % 100 == 0) {
        kept.add(pieces.get(i));
      } else {
        pieces.get(i).close();
      }
    }
    return kept;
  }

  @Test
  void whatWasFreedIsReturnedOnceItExceedsTheBudget() {
    NativeHeap patient = new NativeHeap(2 * TAKEN_BYTES); // within its budget
    NativeHeap eager = new NativeHeap(0);
    List<Slice> kept = fragments();
    try {
      long before = NativeHeap.residentBytes();
      patient.step(false);
      assertThat(NativeHeap.residentBytes()).isGreaterThan(before - TAKEN_BYTES / 4);
      eager.step(false);
      assertThat(NativeHeap.residentBytes()).isLessThan(before - TAKEN_BYTES / 2);
    } finally {
      kept.forEach(Slice::close);
    }
  }

  @Test
  void whatIsResidentIsKnown() {
    assertThat(NativeHeap.residentBytes()).isBetween(10L << 20, 64L << 30);
  }
}
